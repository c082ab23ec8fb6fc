import * as z from 'zod'
import { CodedError } from '../../../contract/errors.ts'
import type { Cluster } from '../../../contract/objects.ts'
import { messageOf } from '../../../text/message-of.ts'
import { ensureItem, setFlag } from '../change/edits.ts'
import { setKubeletField } from './set-kubelet-field.ts'
import {
  changeOption,
  ensureOption,
  formatUnit,
  joinCommandLine,
  parseUnit,
  type Sysctl,
  setSysctl,
  splitCommandLine,
} from './systemd-unit.ts'

/*
 * The changes of a provider to the nodes of a pool (docs/contract/webhooks.md#operatingsystemconfig). A part that no
 * change names may be missing.
 */

const unit = z.looseObject({ name: z.string(), content: z.string().nullish() })
const file = z.looseObject({
  path: z.string(),
  content: z
    .looseObject({
      inline: z.looseObject({ encoding: z.string().nullish(), data: z.string() }).nullish(),
    })
    .nullish(),
})
type NodeUnit = z.output<typeof unit>
type NodeFile = z.output<typeof file>

/** The parts of an OperatingSystemConfig that are read. */
export const nodeConfigSchema = z.looseObject({
  spec: z.looseObject({
    purpose: z.string().nullish(),
    units: z.array(unit).nullish(),
    files: z.array(file).nullish(),
  }),
})

interface KubeletChanges {
  /** Pairs of `--name` and value. */
  readonly flags?: readonly (readonly [name: string, value: string])[]
  /** A command that runs before the kubelet. */
  readonly startPre?: string
  /** Top-level fields of its configuration. */
  readonly fields?: Readonly<Record<string, boolean>>
  /** Top-level fields that are set only if they exist. */
  readonly fieldsIfSet?: Readonly<Record<string, string>>
}

/** Absent parts are not changed. */
export interface NodeChanges {
  readonly kubelet?: KubeletChanges
  readonly sysctl?: Sysctl
  /** Each replaces the file with the same path. */
  readonly files?: readonly NodeFile[]
  /** Each replaces the unit with the same name. */
  readonly units?: readonly NodeUnit[]
}

const kubeletUnit = 'kubelet.service'
const kubeletFile = '/var/lib/kubelet/config/kubelet'
const sysctlFile = '/etc/sysctl.d/99-k8s-general.conf'

/**
 * Applies the provider's changes to the config of a pool's nodes. Throws a `CodedError` that names the broken part.
 */
export const changeNodes = <O extends z.output<typeof nodeConfigSchema>>(
  config: O,
  { kubelet = {}, sysctl, files = [], units = [] }: NodeChanges,
): O => {
  const changedUnits = config.spec.units?.map(one =>
    one.name === kubeletUnit && one.content
      ? { ...one, content: changeKubeletUnit(one.content, kubelet) }
      : one,
  )
  const changedFiles = config.spec.files?.map(one => {
    switch (one.path) {
      case kubeletFile:
        return changeText(one, 'kubelet configuration', text => changeKubeletFields(text, kubelet))
      case sysctlFile:
        return sysctl === undefined
          ? one
          : changeText(one, 'kernel parameters', text => setSysctl(text, sysctl))
      default:
        return one
    }
  })
  return {
    ...config,
    spec: {
      ...config.spec,
      ...ensured('units', changedUnits, units, 'name'),
      ...ensured('files', changedFiles, files, 'path'),
    },
  }
}

/** Returns the kubelet version for an OperatingSystemConfig: that of its pool, or else the shoot's. */
export const kubeletVersion = (
  labels: Readonly<Record<string, string>> | null | undefined,
  { spec: { shoot } }: Cluster,
): string => {
  const pool = (shoot.spec?.provider?.workers ?? []).find(
    ({ name }) => name === labels?.['worker.gardener.cloud/pool'],
  )
  const version: unknown = Object(pool?.kubernetes).version
  return typeof version === 'string' && version !== '' ? version : (shoot.spec?.kubernetes?.version ?? '')
}

const changeKubeletUnit = (content: string, { flags = [], startPre }: KubeletChanges): string => {
  if (flags.length === 0 && startPre === undefined) return content
  return decoding(kubeletUnit, () => {
    // An empty line resets the previous ones and starts nothing.
    const withFlags = changeOption(parseUnit(content), 'Service', 'ExecStart', line =>
      line === ''
        ? line
        : joinCommandLine(
            flags.reduce((items, [name, value]) => setFlag(items, name, value), splitCommandLine(line)),
          ),
    )
    return formatUnit(
      startPre === undefined ? withFlags : ensureOption(withFlags, 'Service', 'ExecStartPre', startPre),
    )
  })
}

const changeKubeletFields = (text: string, { fields = {}, fieldsIfSet = {} }: KubeletChanges): string =>
  Object.entries(fieldsIfSet).reduce(
    (all, [field, value]) => setKubeletField(all, field, value, { onlyIfSet: true }),
    Object.entries(fields).reduce((all, [field, value]) => setKubeletField(all, field, value), text),
  )

const changeText = (one: NodeFile, what: string, change: (text: string) => string): NodeFile => {
  const inline = one.content?.inline
  if (!inline) return one
  return decoding(what, () => {
    const text = textOfInline(inline)
    const changed = change(text)
    return changed === text
      ? one
      : { ...one, content: { ...one.content, inline: withInlineText(inline, changed) } }
  })
}

const ensured = <
  F extends 'units' | 'files',
  K extends 'name' | 'path',
  T extends Readonly<Record<K, string>>,
>(
  field: F,
  items: readonly T[] | undefined,
  wanted: readonly T[],
  key: K,
) => {
  const all = wanted.reduce<readonly T[]>((list, item) => ensureItem(list, key, item), items ?? [])
  return items === undefined && all.length === 0 ? {} : { [field]: all }
}

const decoding = <T>(what: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw new CodedError(`could not decode ${what}: ${messageOf(error)}`, {
      codes: ['ERR_CONFIGURATION_PROBLEM'],
      cause: error,
    })
  }
}

/** File content in an OperatingSystemConfig. */
export interface InlineContent {
  /** Absent or empty: `data` is the text. `b64`: `data` is base64. */
  readonly encoding?: string | null | undefined
  readonly data: string
}

/** Returns the text. Throws an Error for an unknown encoding, invalid base64 and data that is not text. */
export const textOfInline = ({ encoding, data }: InlineContent): string => {
  if (encoding === undefined || encoding === null || encoding === '') return data
  if (encoding !== 'b64') throw new Error('its encoding is neither empty nor b64')
  return textOfBase64(data)
}

/** Returns the content with a new text, in the same encoding. */
export const withInlineText = <C extends InlineContent>(content: C, text: string): C => ({
  ...content,
  data: content.encoding === 'b64' ? Buffer.from(text).toString('base64') : text,
})

/** Decodes base64 as the API server does: padded, in one line or several. Throws an Error without the data. */
export const textOfBase64 = (data: string): string => {
  const compact = data.replaceAll(/[\r\n]/g, '')
  const bytes = Buffer.from(compact, 'base64')
  if (bytes.toString('base64') !== compact) throw new Error('expected base64 text')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Error('it is not UTF-8 text')
  }
}
