/** Overrides for a service's durations, in milliseconds. */
export type DurationSettings<Name extends string> = Partial<Readonly<Record<Name, number>>> & {
  /** Factor on AWS's durations: 1 is real time, 0 makes everything instant. Default: 0.01. */
  readonly scale?: number
}

/** Returns AWS's durations, scaled. Durations that are set by name are not scaled. */
export const scaledDurations = <Name extends string>(
  typical: Readonly<Record<Name, number>>,
  settings: DurationSettings<Name> = {},
): Readonly<Record<Name, number>> => {
  const scale = settings.scale ?? 0.01
  const names = Object.keys(typical) as Name[]
  const entries = names.map(name => [name, settings[name] ?? typical[name] * scale] as const)
  return Object.fromEntries(entries) as Record<Name, number>
}
