const milliseconds: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}
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

/** Returns the milliseconds of `90s`, `10m` or `1.5h`; undefined for other texts. */
export const parseDuration = (text: string): number | undefined => quantityOf(text, milliseconds)

/** Returns the bytes of `500MB` or `2GiB`; undefined for other texts. */
export const parseSize = (text: string): number | undefined => quantityOf(text, bytes)

const quantityOf = (text: string, units: Readonly<Record<string, number>>): number | undefined => {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([A-Za-z]+)$/.exec(text) ?? []
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined
  const value = Math.round(Number(number) * (factor ?? 0))
  return value > 0 ? value : undefined
}
