/** The settings in the window: each setting's value, and a change of one (CONTRACT 4). */
import * as z from 'zod';
import { SETTING_RULES, type SettingName } from './setting-rules.ts';

const Name = z.enum(Object.keys(SETTING_RULES) as [SettingName, ...SettingName[]]);

const Preference = z.object({
  name: Name,
  /** As it is used now. */
  value: z.unknown(),
  /** Whether config.json has it. */
  is_set: z.boolean(),
});
export type Preference = z.infer<typeof Preference>;

export const Preferences = z.object({
  /** The path of config.json. */
  path: z.string(),
  settings: z.array(Preference),
  /** Sentences about mistakes in config.json. */
  problems: z.array(z.string()),
});
export type Preferences = z.infer<typeof Preferences>;

/** Without a value, the default is used again. */
export const PreferenceChange = z.object({ name: Name, value: z.unknown().optional() });
export type PreferenceChange = z.infer<typeof PreferenceChange>;
