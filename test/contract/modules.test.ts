import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MissingProgramError } from '../../build/programs/programs.ts'
import { contractModules } from './modules.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trellis-modules-'))
})
afterEach(() => rm(root, { recursive: true }))

/** A fake Go. Its module cache has every module at v1 and v2 in the same folder, with this go.mod. */
const environmentWith = async (goMod: string): Promise<NodeJS.ProcessEnv> => {
  await mkdir(join(root, 'module'))
  await writeFile(join(root, 'module', 'go.mod'), goMod)
  const script = `#!/bin/sh
case "$4" in
  *@v1* | *@v2*) echo '{"Dir": "${root}/module"}' ;;
  *) echo '{"Error": "not available"}'; exit 1 ;;
esac
`
  await writeFile(join(root, 'go'), script)
  await chmod(join(root, 'go'), 0o755)
  return { PATH: `${root}:/usr/bin:/bin` }
}
const requirements = `require (
	github.com/gardener/etcd-druid/api v2.1.0
	github.com/gardener/machine-controller-manager v2.2.0
)
`
const namesOf = async (environment: NodeJS.ProcessEnv) =>
  (await contractModules('v1.0.0', environment)).all.map(({ path, version }) => `${path} ${version}`)

test("the modules are Gardener's and those that it requires", async () => {
  expect(await namesOf(await environmentWith(requirements))).toEqual([
    'github.com/gardener/gardener v1.0.0',
    'github.com/gardener/machine-controller-manager v2.2.0',
    'github.com/gardener/etcd-druid/api v2.1.0',
  ])
})

test("the modules contain Gardener's API types if these are a module of their own", async () => {
  const types = 'replace github.com/gardener/gardener/pkg/apis => ./pkg/apis\n'
  expect(await namesOf(await environmentWith(requirements + types))).toContain(
    'github.com/gardener/gardener/pkg/apis v1.0.0',
  )
})

test('the modules cannot be downloaded if the version does not exist or Go is missing', async () => {
  const environment = await environmentWith(requirements)
  for (const [of, why] of [
    [environment, 'not available'],
    [{ PATH: join(root, 'empty') }, 'Go is not installed'],
  ] as const) {
    const asked = contractModules('v9.0.0', of)
    await expect(asked).rejects.toThrow(MissingProgramError)
    await expect(asked).rejects.toThrow(why)
  }
})

test('an unknown go.mod is an error', async () => {
  await expect(namesOf(await environmentWith(''))).rejects.toThrow('cannot find github')
})
