import { type DurationSettings, scaledDurations } from '../durations.ts'

/**
 * How long S3 takes, in milliseconds. A deleted bucket's name is free again for others "within an hour"
 * ("Deleting a bucket", S3 user guide); its owner can have it again in the same region at once.
 */
const typical = { nameReleased: 3_600_000 } as const

export interface S3Settings {
  readonly durations?: DurationSettings<keyof typeof typical>
}

/** What the operations go by. */
export interface S3Rules {
  readonly durations: Readonly<Record<keyof typeof typical, number>>
}

export const rulesOf = ({ durations }: S3Settings = {}): S3Rules => ({
  durations: scaledDurations(typical, durations),
})
