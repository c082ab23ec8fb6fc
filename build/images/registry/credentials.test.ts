import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dockerCredentials } from './credentials.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-credentials-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const read = (host: string) => dockerCredentials(host, { DOCKER_CONFIG: folder })
const config = (value: unknown) =>
  writeFile(join(folder, 'config.json'), typeof value === 'string' ? value : JSON.stringify(value))

test('a machine without docker login has no credentials', async () => {
  expect(await read('ghcr.io')).toBeUndefined()
})

test('the file has a user with a password, or an identity token', async () => {
  await config({
    auths: {
      'ghcr.io': { auth: btoa('robot:a:b') },
      'acme.azurecr.io': { auth: btoa('0:'), identitytoken: 'long' },
      'https://index.docker.io/v1/': { auth: btoa('hub:x') },
    },
  })
  expect(await read('ghcr.io')).toEqual({ kind: 'password', user: 'robot', password: 'a:b' })
  expect(await read('acme.azurecr.io')).toEqual({ kind: 'token', token: 'long' })
  expect(await read('docker.io')).toEqual({ kind: 'password', user: 'hub', password: 'x' })
  expect(await read('quay.io')).toBeUndefined()
})

test('a helper has them, and says so if it has none', async () => {
  const helper = join(folder, 'docker-credential-test')
  await writeFile(
    helper,
    `#!/bin/sh
read -r host
[ "$host" = ghcr.io ] && echo '{"Username":"robot","Secret":"secret"}' && exit 0
[ "$host" = token.io ] && echo '{"Username":"<token>","Secret":"long"}' && exit 0
[ "$host" = broken.io ] && echo 'no keychain' && exit 2
echo 'credentials not found in native keychain'
exit 1
`,
  )
  await chmod(helper, 0o755)
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
  await config({ credsStore: 'test' })
  expect(await read('ghcr.io')).toEqual({ kind: 'password', user: 'robot', password: 'secret' })
  expect(await read('token.io')).toEqual({ kind: 'token', token: 'long' })
  expect(await read('quay.io')).toBeUndefined()
  await expect(read('broken.io')).rejects.toThrow('docker-credential-test failed')
})

test('a broken file is reported', async () => {
  await config('{')
  await expect(read('ghcr.io')).rejects.toThrow('config.json is not valid JSON')
})
