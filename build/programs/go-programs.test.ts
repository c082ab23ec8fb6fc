import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { goPrograms } from './go-programs.ts'
import { MissingProgramError } from './part.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trellis-go-'))
  await writeFile(join(root, 'go.mod'), 'module example.org/tools\n\ngo 1.26.0\n')
  await writeFile(join(root, 'go.sum'), '')
})
afterEach(() => rm(root, { recursive: true }))

/** A fake Go of a version, which records its arguments in a file. */
const environmentWith = async (version: string | undefined): Promise<NodeJS.ProcessEnv> => {
  const script = `#!/bin/sh
case "$1" in
  env) printf '${version}\\nlinux\\namd64\\n' ;;
  list) echo v1.2.3 ;;
  build)
    echo "$GOFLAGS $*" >> ${root}/asked
    while [ "$1" != -o ]; do shift; done
    out="$2"; shift 2
    case "$out" in */) for path; do echo built > "$out\${path##*/}"; done ;; *) echo built > "$out" ;; esac ;;
esac
`
  if (version !== undefined) {
    await writeFile(join(root, 'go'), script)
    await chmod(join(root, 'go'), 0o755)
  }
  return { PATH: version === undefined ? root : `${root}:/usr/bin:/bin`, TRELLIS_CACHE: join(root, 'cache') }
}
const tools = () => ({ what: 'the tool', module: root, packages: { tool: 'example.org/tools/tool' } })

test('are built once from the versions that their module pins', async () => {
  const environment = await environmentWith('go1.26.4')
  const folder = await goPrograms(environment, tools())
  expect(await goPrograms(environment, tools())).toBe(folder)
  expect(await readFile(join(folder, 'tool'), 'utf8')).toBe('built\n')
  expect((await readFile(join(root, 'asked'), 'utf8')).match(/ build /g)).toHaveLength(1)
  await writeFile(join(root, 'go.sum'), 'another')
  expect(await goPrograms(environment, tools())).not.toBe(folder)
})

test('are built together if Go names them as wanted, in the given folder of the cache', async () => {
  const folder = await goPrograms(await environmentWith('go1.26.4'), {
    ...tools(),
    name: 'both-tools',
    packages: { ...tools().packages, other: 'example.org/tools/other', third: 'example.org/tools/v3' },
  })
  expect(folder).toContain('/both-tools/')
  expect(await readdir(folder)).toEqual(['other', 'third', 'tool'])
  expect((await readFile(join(root, 'asked'), 'utf8')).match(/ build /g)).toHaveLength(2)
})

test('have the given tags and variables', async () => {
  await goPrograms(await environmentWith('go1.26.4'), {
    ...tools(),
    tags: 'small',
    variables: async versionOf => ({ tool: [`main.version=${await versionOf('example.org/tool')}`] }),
  })
  expect(await readFile(join(root, 'asked'), 'utf8')).toMatch(
    /-mod=readonly .*-tags=small build -ldflags -s -w -X main\.version=v1\.2\.3 -o \S+tool example\.org\/tools\/tool\n$/,
  )
})

test.each([
  [
    undefined,
    'cannot build the tool: Go is not installed. Install Go 1.26.0 or newer (https://go.dev/doc/install), or buy one',
  ],
  ['go1.25.9', 'cannot build the tool: go1.25.9 is older than 1.26.0. Install Go 1.26.0 or newer'],
])('name the software to install if Go is %s', async (version, message) => {
  const asked = goPrograms(await environmentWith(version), { ...tools(), instead: 'or buy one' })
  await expect(asked).rejects.toThrow(MissingProgramError)
  await expect(asked).rejects.toThrow(message)
})
