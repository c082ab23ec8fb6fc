import { configurationProblem } from '../contract/errors.ts'
import type { File, OperatingSystemConfig, Unit } from '../contract/objects.ts'
import { formatProblems, shown } from '../decode/problems.ts'
import { valueAt } from '../decode/record-of.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import {
  type Actuator,
  done,
  type StepContext,
  type StepKubernetes,
  type StepResult,
  secrets,
} from '../lifecycle/lifecycle.ts'
import { bytesOfBase64 } from './content/bytes-of-base64.ts'
import { clearTextOf, contentProblems, notClear } from './content/content-problems.ts'
import type { OperatingSystem } from './operating-system.ts'
import { pathWord, unitWord } from './script/shell-text.ts'
import { type FileContent, type ScriptFile, writeContent, writeFiles } from './script/write-file.ts'
import { ensureUserDataSecret } from './user-data/ensure-user-data-secret.ts'
import { addSize, largeBytes } from './user-data/size.ts'

/** Maximum number of reported problems per config. */
const mostProblems = 5

/**
 * The actuator for OperatingSystemConfigs of an operating system (docs/contract/small-kinds.md#operatingsystemconfig).
 * A restore is a reconcile, and a migration changes nothing: the Secret is deleted with the config that owns it.
 *
 * @example
 * const actuator = operatingSystemConfigFlow({
 *   userData: ({ parts: { files, units, starts } }) =>
 *     once(`#!/bin/bash\n${files}\n${units}\nsystemctl daemon-reload\n${starts}`),
 *   additions: () => ({}),
 * })
 */
export const operatingSystemConfigFlow = (
  system: OperatingSystem,
): Pick<Actuator<OperatingSystemConfig>, 'check' | 'reconcile' | 'remove' | 'orphans'> => ({
  check: ({ object }) => checkContent(object),
  reconcile: step => (step.object.spec.purpose === 'provision' ? provision(system, step) : add(system, step)),
  // The Secret is deleted with its owner.
  remove: async () => done(),
  orphans: () => [],
})

/** The node agent reads the files of an existing machine. Here they are only written for a new one. */
const checkContent = ({ spec }: OperatingSystemConfig): void => {
  if (spec.purpose !== 'provision') return
  const problems = contentProblems(spec)
  if (problems.length === 0) return
  const more = problems.length - mostProblems
  throw configurationProblem(
    `${formatProblems(problems.slice(0, mostProblems))}${more > 0 ? `; and ${more} more` : ''}`,
  )
}

const provision = async (
  system: OperatingSystem,
  step: StepContext<OperatingSystemConfig>,
): Promise<StepResult> => {
  const { object, log } = step
  const files = await readFiles(step)
  const { units = [] } = object.spec
  const parts = { files: writeFiles(files), units: writeUnits(units), starts: startUnits(units) }
  const userData = system.userData({ object, parts })
  const { outcome, secretRef } = await ensureUserDataSecret(step, userData)
  const bytes = Buffer.byteLength(userData)
  if (outcome !== 'same') log.info('user data of new machines', { outcome, bytes })
  if (bytes > largeBytes) log.warn('user data exceeds the limit of some clouds', { bytes })
  return done({ cloudConfig: { secretRef }, ...withoutAdditions })
}

const withoutAdditions = { extensionUnits: null, extensionFiles: null, inPlaceUpdates: null }

const add = async (
  system: OperatingSystem,
  { object, cluster }: StepContext<OperatingSystemConfig>,
): Promise<StepResult> => {
  const { units = [], files = [], inPlaceUpdates = null } = system.additions({ object, cluster })
  return done({
    cloudConfig: null,
    extensionUnits: units.length > 0 ? units : null,
    extensionFiles: files.length > 0 ? files : null,
    inPlaceUpdates,
  })
}

/** Number of concurrent reads of Secrets. */
const parallel = 10

/**
 * Returns the files of a config with their content. Secrets of its namespace hold a part of it; each is read once.
 * Throws an Error that names the file of a missing Secret or key, and a `CodedError` if user data cannot hold the
 * content; then decodes no more. Check with `contentProblems` first.
 */
const readFiles = async ({
  object,
  kubernetes,
}: Pick<StepContext<OperatingSystemConfig>, 'object' | 'kubernetes'>): Promise<readonly ScriptFile[]> => {
  const { files = [] } = object.spec
  const { namespace = '' } = object.metadata
  const found = await readSecrets(kubernetes, namespace, files)
  let size = 0
  return files.map(file => {
    const bytes = bytesOf(file, found)
    size = addSize(size, bytes.length)
    const { path, permissions } = file
    return { path, content: contentOf(file, bytes), permissions }
  })
}

const readSecrets = async (
  kubernetes: Pick<StepKubernetes, 'get'>,
  namespace: string,
  files: readonly File[],
): Promise<ReadonlyMap<string, KubernetesObject | undefined>> => {
  const names = [
    ...new Set(
      files.flatMap(({ content }) => (content.secretRef === undefined ? [] : [content.secretRef.name])),
    ),
  ]
  const found = new Map<string, KubernetesObject | undefined>()
  for (let start = 0; start < names.length; start += parallel) {
    const some = names.slice(start, start + parallel)
    const read = await Promise.all(some.map(name => kubernetes.get(secrets, { name, namespace })))
    for (const [index, name] of some.entries()) found.set(name, read[index])
  }
  return found
}

const bytesOf = (
  { path, content: { inline, secretRef } }: File,
  found: ReadonlyMap<string, KubernetesObject | undefined>,
): Uint8Array => {
  if (secretRef === undefined) {
    const { encoding, data = '' } = inline ?? {}
    return (encoding === 'b64' ? bytesOfBase64(data) : undefined) ?? Buffer.from(data)
  }
  const { name, dataKey } = secretRef
  const secret = found.get(name)
  // It may exist soon: the writer of the config creates it.
  if (secret === undefined) throw new Error(`file ${shown(path)}: Secret "${name}" not found`)
  const value = valueAt(secret.data, dataKey)
  if (typeof value !== 'string')
    throw new Error(`file ${shown(path)}: Secret "${name}" has no key "${dataKey}"`)
  return Buffer.from(value, 'base64')
}

const contentOf = ({ path, content }: File, bytes: Uint8Array): FileContent => {
  if (!content.transmitUnencoded) return { kind: 'encoded', bytes }
  const text = clearTextOf(bytes)
  if (text !== undefined && !text.includes('\0')) return { kind: 'clear', text }
  throw configurationProblem(`file ${shown(path)}: ${notClear}`)
}

const folder = '/etc/systemd/system'

/** Returns script lines that write units and their drop-ins, in order (docs/contract/small-kinds.md#script-parts). */
export const writeUnits = (units: readonly Unit[]): string => units.map(writeUnit).join('')

const writeUnit = ({ name, content, dropIns = [] }: Unit): string => {
  const path = `${folder}/${name}`
  return [
    content === undefined ? '' : `\n${writeContent(path, encoded(content))}`,
    dropIns.length === 0 ? '' : `\nmkdir -p ${pathWord(`${path}.d`)}`,
    ...dropIns.map(dropIn => `\n${writeContent(`${path}.d/${dropIn.name}`, encoded(dropIn.content))}`),
  ].join('')
}

const encoded = (text: string): FileContent => ({ kind: 'encoded', bytes: Buffer.from(text) })

/** Enables and starts every unit, whatever its own settings. */
export const startUnits = (units: readonly Unit[]): string =>
  units
    .map(({ name }) => unitWord(name))
    .map(word => `systemctl enable ${word} && systemctl restart --no-block ${word}\n`)
    .join('')
