import type { Timestamp } from '../../../../../shared/clock/clock.ts'

/** Parses `20261121T040000Z` to milliseconds since the epoch. NaN for any other format. */
export const parseSigningTime = (text: string): Timestamp => {
  const iso = text.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/, '$1-$2-$3T$4:$5:$6Z')
  return iso === text ? Number.NaN : Date.parse(iso)
}

export const signingTime = (time: Timestamp): string =>
  new Date(time).toISOString().replace(/[-:]|\.\d{3}/g, '')
