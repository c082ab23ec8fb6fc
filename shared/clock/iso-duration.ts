/**
 * Returns the milliseconds of an ISO 8601 duration of days, hours, minutes and seconds, as delivery specs use it:
 * `PT0.2S`, `PT1M30S`. Returns undefined for any other text, also for years and months, which have no fixed length.
 */
export const parseIsoDuration = (text: string): number | undefined => {
  const match = /^P(?=.)(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(text)
  if (!match) return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map(part => Number(part ?? 0))
  return Math.round((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000)
}
