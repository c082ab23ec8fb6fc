const bytes: Readonly<Record<string, number>> = {
  B: 1,
  kB: 1e3,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
}

/** Returns the bytes of `500MB` or `2GiB`; undefined for other texts. */
export const parseSize = (text: string): number | undefined => {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([A-Za-z]+)$/.exec(text) ?? []
  return Object.hasOwn(bytes, unit) ? Math.round(Number(number) * (bytes[unit] ?? 0)) : undefined
}
