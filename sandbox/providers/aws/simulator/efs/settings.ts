import { type DurationSettings, scaledDurations } from '../durations.ts'

/**
 * The durations of EFS in milliseconds. The values are typical observations. A mount target takes "up to 90 seconds"
 * ("Managing mount targets", EFS user guide).
 */
const typical = {
  fileSystemAvailable: 5_000,
  fileSystemDeleted: 5_000,
  mountTargetAvailable: 80_000,
  mountTargetDeleted: 20_000,
} as const

export type EfsDurations = Readonly<Record<keyof typeof typical, number>>

export interface EfsSettings {
  readonly durations?: DurationSettings<keyof typeof typical>
}

export const durationsOf = ({ durations }: EfsSettings = {}): EfsDurations =>
  scaledDurations(typical, durations)
