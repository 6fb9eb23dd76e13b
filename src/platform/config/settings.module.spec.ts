import { Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { loadSettings } from './load-settings';
import { Settings } from './settings';
import { InjectSettings, SettingsModule } from './settings.module';

@Injectable()
class Reader {
  constructor(@InjectSettings() readonly settings: Settings) {}
}

@Module({ providers: [Reader] })
class FeatureModule {}

describe('SettingsModule', () => {
  it('gives the very settings it was made with to modules that do not import it', async () => {
    const settings = loadSettings({ PORT: '0' });
    const app = await Test.createTestingModule({
      imports: [SettingsModule.forRoot(settings), FeatureModule],
    }).compile();
    expect(app.get(Reader, { strict: false }).settings).toBe(settings);
  });
});
