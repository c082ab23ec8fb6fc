/**
 * Milliseconds of an ISO 8601 duration of days, hours, minutes and seconds, as delivery specs have them: `PT0.2S`,
 * `PT1M30S`. Undefined when it is none; years and months have no fixed length and are none.
 */
export const parseDuration = (text: string): number | undefined => {
  const match = /^P(?=.)(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(text)
  if (!match) return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map(part => Number(part ?? 0))
  return Math.round((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000)
}
