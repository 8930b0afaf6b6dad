/** Settings that parts of the host ask for at each use: a change of config.json applies without a restart. */
export interface LiveSettings {
  readonly maxLineChars: number;
  /** Bytes of a preview, per stream. */
  readonly previewBytes: number;
  readonly retentionHours: number;
}
