/** `BackupEntries`. */
export const pluralTitle = (kind: string): string => `${kind}s`.replace(/ys$/, 'ies').replace(/sss$/, 'sses')

/** `1 Infrastructure`, `2 BackupEntries`. */
export const countedKinds = (number: number, kind: string): string =>
  `${number} ${number === 1 ? kind : pluralTitle(kind)}`
