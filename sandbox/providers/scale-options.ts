import { InvalidArgumentError, Option } from 'commander'
import { titlesOf } from './titles.ts'

const factor = (text: string): number => {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0) || !Number.isFinite(value)) {
    throw new InvalidArgumentError('expected a number, 0 or more')
  }
  return value
}

export interface ScaleOptions {
  readonly scale: number
  readonly realTime?: boolean
}

export interface ScaleText {
  readonly title: string
  /** An example of a factor: `with 0.01, a NAT gateway takes one second`. */
  readonly scale: string
}

/** Options for the durations of simulated clouds; `scaleOf` reads them. */
export const scaleOptions = (clouds: readonly ScaleText[]): readonly Option[] => {
  const whose = `${titlesOf(clouds)}'s`
  const [example] = clouds.map(({ scale }) => scale)
  return [
    new Option('--scale <factor>', `factor for ${whose} durations: ${example}`)
      .argParser(factor)
      .default(0.01),
    // It cannot imply a scale: commander treats an implied value as given, and would report a conflict.
    new Option('--real-time', `use ${whose} real durations; the same as --scale 1`).conflicts('scale'),
  ]
}

export const scaleOf = ({ scale, realTime }: ScaleOptions): number => (realTime ? 1 : scale)
