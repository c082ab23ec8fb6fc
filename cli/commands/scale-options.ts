import { InvalidArgumentError, Option } from 'commander'

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

/** How long a simulated AWS takes for what AWS takes a while for; `scaleOf` reads them. */
export const scaleOptions = (): readonly Option[] => [
  new Option('--scale <factor>', "factor on AWS's durations: 0.01 makes a NAT gateway take one second")
    .argParser(factor)
    .default(0.01),
  // It cannot imply a scale: commander takes what is implied for given, and the two for a conflict.
  new Option('--real-time', "AWS's durations as they are; the same as --scale 1").conflicts('scale'),
]

/** The factor on AWS's durations. */
export const scaleOf = ({ scale, realTime }: ScaleOptions): number => (realTime ? 1 : scale)
