/** A service's durations in milliseconds, and what of them is set. */
export type DurationSettings<Name extends string> = Partial<Readonly<Record<Name, number>>> & {
  /** Factor on AWS's durations: 1 is real time, 0 makes everything happen at once. Default 0.01. */
  readonly scale?: number
}

/** AWS's durations, scaled; those that are given by name are taken as they are. */
export const scaledDurations = <Name extends string>(
  typical: Readonly<Record<Name, number>>,
  settings: DurationSettings<Name> = {},
): Readonly<Record<Name, number>> => {
  const scale = settings.scale ?? 0.01
  const names = Object.keys(typical) as Name[]
  const entries = names.map(name => [name, settings[name] ?? typical[name] * scale] as const)
  return Object.fromEntries(entries) as Record<Name, number>
}
