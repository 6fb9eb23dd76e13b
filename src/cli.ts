#!/usr/bin/env node
import { runCommands } from '@petstore/platform/commands';

runCommands(() => require('./features'));
