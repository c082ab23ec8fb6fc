import { type DurationSettings, scaledDurations } from '../durations.ts'

/**
 * The durations of IAM in milliseconds. IAM is eventually consistent ("Changes that I make are not always immediately
 * visible", IAM user guide). A new entity is usually readable at once, and EC2 sees an instance profile some seconds
 * later.
 */
const typical = { roleReadable: 0, profileReadable: 0, profileUsable: 8_000 } as const

export type IamDurations = ReturnType<typeof durationsOf>

const durationsOf = (settings: DurationSettings<keyof typeof typical> = {}) =>
  scaledDurations(typical, settings)

export interface IamSettings {
  readonly durations?: DurationSettings<keyof typeof typical>
}

/** The durations that the operations apply. */
export interface IamRules {
  readonly durations: IamDurations
}

export const rulesOf = ({ durations }: IamSettings = {}): IamRules => ({
  durations: durationsOf(durations),
})
