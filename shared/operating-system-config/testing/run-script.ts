import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The effects of a script in its folder. */
export interface ScriptOutcome {
  readonly status: number | null
  readonly stderr: string
  /** Bytes and mode of each file, by path relative to the folder. */
  readonly files: ReadonlyMap<string, { readonly bytes: Buffer; readonly mode: number }>
  /** The arguments of each call of systemctl. */
  readonly systemctl: readonly (readonly string[])[]
}

/** Records its arguments, each followed by a zero byte, and a second zero byte after the last. */
const stub =
  '#!/bin/bash\nfor one in "$@"; do printf "%s\\0" "$one"; done >> "$CALLS"\nprintf "\\0" >> "$CALLS"\n'

/**
 * Runs a script with a real bash in an empty folder that replaces the root. The script must move its absolute paths
 * there (`rooted`).
 */
export const runScript = (script: (root: string) => string): ScriptOutcome => {
  const base = mkdtempSync(join(tmpdir(), 'trellis-script-'))
  try {
    const [root, programs, calls, file] = ['root', 'bin', 'calls', 'script'].map(name =>
      join(base, name),
    ) as [string, string, string, string]
    mkdirSync(root)
    mkdirSync(programs)
    mkdirSync(join(root, 'etc/systemd/system'), { recursive: true })
    writeFileSync(join(programs, 'systemctl'), stub)
    chmodSync(join(programs, 'systemctl'), 0o755)
    writeFileSync(calls, '')
    writeFileSync(file, script(root))
    const { status, stderr } = spawnSync('bash', [file], {
      cwd: root,
      env: { PATH: `${programs}:/usr/bin:/bin`, HOME: '/nowhere', CALLS: calls, LC_ALL: 'C.UTF-8' },
      encoding: 'utf8',
    })
    return { status, stderr, files: filesIn(root), systemctl: callsIn(readFileSync(calls, 'utf8')) }
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

/** Moves the unit files of a script, and its completion mark, below a folder. */
export const rooted = (script: string, root: string): string =>
  script
    .replaceAll('/etc/systemd/system/', `${root}/etc/systemd/system/`)
    .replaceAll('/var/lib/osc', `${root}/var/lib/osc`)

const filesIn = (root: string): ScriptOutcome['files'] =>
  new Map(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter(entry => !entry.isDirectory())
      .map(entry => {
        const path = join(entry.parentPath, entry.name)
        return [
          path.slice(root.length + 1),
          { bytes: readFileSync(path), mode: statSync(path).mode & 0o7777 },
        ]
      }),
  )

const callsIn = (text: string): readonly (readonly string[])[] =>
  text
    .split('\0\0')
    .slice(0, -1)
    .map(call => call.split('\0'))
