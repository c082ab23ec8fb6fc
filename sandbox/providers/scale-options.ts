import { InvalidArgumentError, Option } from 'commander'
import { titlesOf } from './titles.ts'

const factor = (text: string): number => {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0) || !Number.isFinite(value)) {
    throw new InvalidArgumentError('expected a number, 0 or more')
  }
  return value
}

/** What the options give. */
export interface ScaleOptions {
  readonly scale: number
  readonly realTime?: boolean
}

/** A cloud whose time can be another. */
export interface ScaleText {
  readonly title: string
  /** What a factor means: `0.01 makes a NAT gateway take one second`. */
  readonly scale: string
}

/** How long simulated clouds take for what clouds take a while for; `scaleOf` reads them. */
export const scaleOptions = (clouds: readonly ScaleText[]): readonly Option[] => {
  const whose = `${titlesOf(clouds)}'s`
  const examples = clouds.map(({ scale }) => scale).join('; ')
  return [
    new Option('--scale <factor>', `factor on ${whose} durations: ${examples}`)
      .argParser(factor)
      .default(0.01),
    // It cannot imply a scale: commander takes what is implied for given, and the two for a conflict.
    new Option('--real-time', `${whose} durations as they are; the same as --scale 1`).conflicts('scale'),
  ]
}

/** The factor on the durations of clouds. */
export const scaleOf = ({ scale, realTime }: ScaleOptions): number => (realTime ? 1 : scale)
