import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allCommands } from '../command-list.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-completion-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const has = (program: string, args: readonly string[] = ['-c', 'true']): Promise<boolean> =>
  run(program, [...args]).then(
    () => true,
    () => false,
  )

/** Returns the script of a shell, as a user gets it. */
const scriptOf = async (shell: string): Promise<string> => {
  const { stdout } = await run(process.execPath, ['cli/trellis.mjs', 'completion', shell], { cwd: root })
  const file = join(folder, `_trellis.${shell}`)
  await writeFile(file, stdout)
  return file
}

/** Runs the generated script in its shell, and returns the candidates after some words. */
const shells: Readonly<Record<string, (file: string, words: readonly string[]) => readonly string[]>> = {
  bash: (file, words) => [
    '-c',
    `source ${file}; COMP_WORDS=(trellis ${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _trellis; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  zsh: (file, words) => [
    '-f',
    '-c',
    `compdef() { }; _describe() { print -l -- \${(P)2} }; _files() { print -- FILES }; source ${file}; words=(trellis ${words.map(word => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}; PREFIX='${words.at(-1)}'; _trellis`,
  ],
  fish: (file, words) => ['-N', '-c', `source ${file}; complete -C 'trellis ${words.join(' ')}'`],
}

const commands = Object.keys(await allCommands())

describe.each(Object.entries(shells))('the script for %s', async (shell, argsOf) => {
  const isThere = await has(shell)
  let file = ''
  beforeAll(async () => {
    if (isThere) file = await scriptOf(shell)
  })
  const complete = async (...words: readonly string[]) => {
    const { stdout } = await run(shell, [...argsOf(file, words)], { cwd: folder })
    return stdout
      .split('\n')
      .filter(line => line !== '')
      .map(line => line.split(/[\t:]/)[0] ?? '')
  }

  test.skipIf(!isThere)('completes every command', async () => {
    expect((await complete('')).toSorted()).toEqual(commands.toSorted())
  })

  test.skipIf(!isThere)('completes the flags of a command, and no others', async () => {
    const flags = await complete('status', '--')
    expect(flags).toEqual(expect.arrayContaining(['--kubeconfig', '--failing', '--output']))
    expect(flags).not.toContain('--render')
    expect(await complete('replay', '--')).toContain('--aws-state')
    expect((await complete('replay', '--')).join(' ')).not.toContain('CLOUD')
  })

  test.skipIf(!isThere)('completes the choices of a flag', async () => {
    const [first] = (await complete('trace', '-o', '')).map(choice => choice.replace('-o', ''))
    expect(first).toBeDefined()
    for (const choice of ['text', 'wide', 'json', 'yaml', 'html'])
      expect((await complete('trace', '--output', '')).join(' ')).toContain(choice)
  })

  test.skipIf(!isThere)('offers no flags where a file is expected', async () => {
    const found = await complete('status', '--kubeconfig', '')
    expect(found.filter(one => one.startsWith('-'))).toEqual([])
  })
})

test('an unknown shell is refused with the known ones', async () => {
  const args = ['cli/trellis.mjs', 'completion', 'tcsh']
  await expect(run(process.execPath, args, { cwd: root })).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected one of bash, zsh, fish'),
  })
})

describe('kubectl', async () => {
  const isThere = await has('kubectl', ['version', '--client'])
  beforeAll(async () => {
    for (const name of ['kubectl-trellis', 'kubectl_complete-trellis'])
      await symlink(join(root, 'cli/trellis.mjs'), join(folder, name))
    // The interpreter of the programs is a node of the path.
    await writeFile(join(folder, 'node'), `#!/bin/sh\nexec ${process.execPath} "$@"\n`)
    await chmod(join(folder, 'node'), 0o755)
  })
  const env = () => ({ ...process.env, PATH: [folder, process.env.PATH].join(delimiter) })

  const ask = async (...words: readonly string[]) =>
    (await run(join(folder, 'kubectl_complete-trellis'), [...words], { env: env() })).stdout.split('\n')

  test('gets the commands, flags and choices that it asks for', async () => {
    expect(await ask('sta')).toEqual(['status\tPrint all shoots of a seed, failing ones first', ':4', ''])
    expect((await ask('status', '--f'))[0]).toMatch(/^--failing\t/)
    expect(await ask('trace', '-o', 'h')).toEqual(['html', ':4', ''])
    expect(await ask('plan', '')).toEqual([':0', ''])
    expect(await ask('nothing', '--')).toEqual([':4', ''])
  })

  test.skipIf(!isThere)('runs the plugin under its own name', async () => {
    const { stdout } = await run('kubectl', ['trellis', 'status', '--help'], { env: env() })
    expect(stdout).toContain('Usage: kubectl trellis status [options]')
    expect(stdout).toContain('  kubectl trellis status -n shoot--garden--rose --watch')
  })

  test.skipIf(!isThere)('completes the plugin', async () => {
    const { stdout } = await run('kubectl', ['__complete', 'trellis', 'doc'], { env: env() })
    expect(stdout).toContain('doctor\t')
  })
})
