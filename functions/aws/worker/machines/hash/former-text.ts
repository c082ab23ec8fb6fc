import type { MachineClassContent } from '../../../../../shared/worker/worker.ts'
import { apiVersion } from '../../../../../terraform-free-infra/aws/account/config/config.ts'
import { configText } from './config-text.ts'
import type { Field, Path } from './field.ts'

/** A mutable part of a WorkerConfig as JSON. */
type ConfigPart = Record<string | number, unknown>

/**
 * Returns the text that a class was probably hashed by: that of the current WorkerConfig, with the fields of the class.
 * Returns undefined if there is no WorkerConfig now and the class shows none. The hash proves whether the text is
 * right.
 */
export const formerText = (
  providerConfig: object | undefined,
  fields: readonly Field[],
  content: MachineClassContent,
): string | undefined => {
  const changed = fields.flatMap(({ at, datum, observed }) => {
    const found = observed(content)
    return at === undefined || found === datum ? [] : [{ at, found }]
  })
  if (providerConfig === undefined && changed.length === 0) return undefined
  const former = structuredClone(providerConfig ?? { apiVersion, kind: 'WorkerConfig' }) as ConfigPart
  for (const { at, found } of changed) put(former, at, found)
  return configText(former, former)
}

/** Writes numbers as numbers: no text of a WorkerConfig looks like one. Also removes an object that becomes empty. */
const put = (object: ConfigPart, [name, ...rest]: Path, value: string | undefined): void => {
  if (name === undefined) return
  if (rest.length === 0) {
    if (value === undefined) delete object[name]
    else object[name] = /^\d+$/.test(value) ? Number(value) : value
    return
  }
  object[name] ??= {}
  const inner = object[name] as ConfigPart
  put(inner, rest, value)
  if (!Array.isArray(inner) && Object.keys(inner).length === 0) delete object[name]
}
