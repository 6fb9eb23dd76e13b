#!/usr/bin/env node
import { serve } from '@petstore/platform/service';

serve(() => require('./features'));
