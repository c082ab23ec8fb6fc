import type { File, OperatingSystemConfig, Unit } from '../../contract/objects.ts'
import { type Problem, shown } from '../../decode/problems.ts'
import { when } from '../../lists/when.ts'
import { bytesOfBase64 } from './bytes-of-base64.ts'

/** RFC 1123, as for names of Secrets. */
const secretName = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/

/** Keys of Secrets, as the API server accepts them. */
const dataKey = /^[-._A-Za-z0-9]{1,253}$/

/**
 * Returns the reasons why no script can write the files and units of a config, with their names and positions. Paths
 * start at the object.
 */
export const contentProblems = ({
  files = [],
  units = [],
}: OperatingSystemConfig['spec']): readonly Problem[] => [
  ...files.flatMap((file, index) =>
    fileProblems(file).map(({ path, message }) => ({
      path: `spec.files[${index}].${path}`,
      message: `${message} (file ${shown(file.path)})`,
    })),
  ),
  ...units.flatMap((unit, index) =>
    unitProblems(unit).map(({ path, message }) => ({
      path: `spec.units[${index}].${path}`,
      message: `${message} (unit ${shown(unit.name)})`,
    })),
  ),
]

const fileProblems = ({ path, permissions, content }: File): readonly Problem[] => [
  ...pathProblem(path),
  ...(permissions !== undefined && (permissions < 0 || permissions > 0o7777)
    ? [{ path: 'permissions', message: `expected a mode of 0 to 4095 (7777 in octal), found ${permissions}` }]
    : []),
  ...sourceProblems(content),
]

const pathProblem = (path: string): readonly Problem[] => {
  if (path.includes('\0')) return [{ path: 'path', message: 'a path must not contain a zero byte' }]
  return isFileName(path.slice(path.lastIndexOf('/') + 1))
    ? []
    : [{ path: 'path', message: 'expected the path of a file' }]
}

const sourceProblems = ({
  inline,
  secretRef,
  imageRef,
  transmitUnencoded,
}: File['content']): readonly Problem[] => {
  const sources = [inline, secretRef, imageRef].filter(source => source !== undefined)
  if (sources.length !== 1)
    return [{ path: 'content', message: 'expected exactly one of inline, secretRef and imageRef' }]
  if (imageRef !== undefined)
    return [
      {
        path: 'content.imageRef',
        message:
          'a new machine cannot read a file from a container image: only the node agent can, for purpose reconcile',
      },
    ]
  if (secretRef !== undefined)
    return [
      ...when(!secretName.test(secretRef.name), {
        path: 'content.secretRef.name',
        message: `a Secret cannot have the name ${shown(secretRef.name)}`,
      }),
      ...when(!dataKey.test(secretRef.dataKey), {
        path: 'content.secretRef.dataKey',
        message: `a Secret cannot have the key ${shown(secretRef.dataKey)}`,
      }),
    ]
  if (inline?.encoding !== 'b64') return clearProblem(transmitUnencoded, inline?.data ?? '')
  const bytes = bytesOfBase64(inline.data)
  if (bytes === undefined) return [{ path: 'content.inline.data', message: 'expected base64 text' }]
  return transmitUnencoded ? clearProblem(true, clearTextOf(bytes)) : []
}

/** A here-document cannot contain zero bytes: bash drops them. */
const clearProblem = (isClear: boolean | undefined, text: string | undefined): readonly Problem[] =>
  isClear && (text === undefined || text.includes('\0'))
    ? [{ path: 'content.transmitUnencoded', message: notClear }]
    : []

export const notClear = 'only UTF-8 text without zero bytes can be transmitted unencoded'

/** Returns undefined for bytes that are not text. */
export const clearTextOf = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const unitProblems = ({ name, dropIns = [] }: Unit): readonly Problem[] => [
  ...fileNameProblem('name', name),
  ...dropIns.flatMap((dropIn, index) => fileNameProblem(`dropIns[${index}].name`, dropIn.name)),
]

const fileNameProblem = (path: string, name: string): readonly Problem[] =>
  isFileName(name) ? [] : [{ path, message: `${shown(name)} is not a file name` }]

const isFileName = (name: string): boolean => !/^\.{0,2}$/.test(name) && !/[/\0]/.test(name)
