import { readFile } from 'node:fs/promises'
import { mergeValues } from '../../knative/chart/chart.ts'
import type { DeploymentMode, ProfileName } from '../../knative/knative.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { isRecord } from '../../shared/decode/record-of.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { readYaml } from '../../shared/text/read-yaml.ts'
import type { Chosen } from './chosen.ts'

export interface ValueFlags {
  readonly seed?: string
  readonly registry?: string | undefined
  readonly tag?: string
  /** A file of `make images`: JSON with the image of each program. */
  readonly images?: string
  readonly mode?: DeploymentMode
  /** The storage of events. */
  readonly profile?: ProfileName
  /** True if the functions of a provider share a process. */
  readonly compact?: boolean
  /** Values that `values` overrides: those of a Go extension, mapped. */
  readonly mapped?: Readonly<Record<string, unknown>>
  /** A file of values, YAML or JSON. */
  readonly values?: string
}

export type GivenValues = Readonly<Record<string, unknown>>

/**
 * Returns the values that differ from the chart's defaults: the file's and the chosen items, overridden by the flags.
 */
export const givenValues = async (flags: ValueFlags, chosen: Chosen): Promise<GivenValues> => {
  const { seed, registry, tag, mode, profile, compact } = flags
  const images = flags.images === undefined ? undefined : await readMap(flags.images)
  const enabled = { enabled: true }
  return mergeValues(
    {
      ...(chosen.functions.length > 0 && {
        functions: Object.fromEntries(chosen.functions.map(({ name }) => [name, enabled])),
      }),
      ...(chosen.components.length > 0 && {
        webhook: { components: Object.fromEntries(chosen.components.map(name => [name, enabled])) },
      }),
    },
    flags.mapped,
    flags.values === undefined ? {} : await readMap(flags.values),
    {
      ...(seed !== undefined && { seed }),
      ...((registry !== undefined || tag !== undefined) && {
        image: { ...(registry !== undefined && { registry }), ...(tag !== undefined && { tag }) },
      }),
      ...(images !== undefined && { images }),
      ...(mode !== undefined && { mode }),
      ...(profile !== undefined && { broker: { profile } }),
      ...(compact && { compact }),
    },
  ) as GivenValues
}

/** Reads a file of values. Throws a `UsageError` if it is not a map. */
export const readMap = async (file: string): Promise<GivenValues> => {
  const text = await readFile(file, 'utf8').catch(cause => {
    throw new UsageError(`cannot read ${file}: ${messageOf(cause)}`, { cause })
  })
  const value = parsed(file, text)
  if (!isRecord(value)) throw new UsageError(`${file}: expected a map of values`)
  return value as GivenValues
}

const parsed = (file: string, text: string): unknown => {
  // Helm reads the first document of a file of values.
  const [document = { value: {} }] = readYaml(text)
  if ('problem' in document) throw new UsageError(`${file} is not valid YAML (${document.problem})`)
  return document.value ?? {}
}
