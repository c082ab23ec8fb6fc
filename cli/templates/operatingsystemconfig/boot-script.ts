import type { OperatingSystemConfig } from '../../../shared/contract/objects.ts'

/** A file of a machine and its content. */
export interface BootFile {
  readonly path: string
  readonly content: string
  /** The file mode, such as 0o644. Default: the mode of a new file. */
  readonly permissions?: number
  /** True if the script contains the file in clear text, because the machine controller inserts a token. */
  readonly isClear: boolean
}

type BootUnits = NonNullable<OperatingSystemConfig['spec']['units']>

/** TODO: Return the user data of your operating system. Quote contents and paths, so they never run as commands. */
export const bootScript = (files: readonly BootFile[], units: BootUnits): string =>
  [
    '#!/bin/bash',
    'set -e',
    ...files.flatMap(({ path, content, permissions, isClear }) => [
      ...write(path, content, isClear),
      ...(permissions === undefined
        ? []
        : [`chmod ${permissions.toString(8).padStart(4, '0')} ${quoted(path)}`]),
    ]),
    ...units.flatMap(({ name, content, dropIns = [] }) => [
      ...(content === undefined ? [] : write(`/etc/systemd/system/${name}`, content, false)),
      ...dropIns.flatMap(dropIn =>
        write(`/etc/systemd/system/${name}.d/${dropIn.name}`, dropIn.content, false),
      ),
    ]),
    'systemctl daemon-reload',
    ...units.map(
      ({ name }) => `systemctl enable ${quoted(name)} && systemctl restart --no-block ${quoted(name)}`,
    ),
    '',
  ].join('\n')

const write = (path: string, content: string, isClear: boolean): readonly string[] => {
  const folder = path.slice(0, path.lastIndexOf('/')) || '/'
  const made = `mkdir -p ${quoted(folder)}`
  if (!isClear) return [made, `base64 -d > ${quoted(path)} <<< ${Buffer.from(content).toString('base64')}`]
  return [made, `printf %s ${quoted(content)} > ${quoted(path)}`]
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
