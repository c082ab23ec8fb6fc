import type { OperatingSystemConfig } from '../../../shared/contract/objects.ts'

/** A file of a machine, with its content loaded. */
export interface BootFile {
  readonly path: string
  readonly content: string
  /** Such as 0o644. */
  readonly permissions?: number
  /** Stays readable, because the machine controller inserts a token. */
  readonly isClear: boolean
}

type BootUnits = NonNullable<OperatingSystemConfig['spec']['units']>

/** TODO: the user data of your operating system. The content or path of a file must never become a command. */
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
