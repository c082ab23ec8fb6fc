import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keylessSigner, keySigner } from './signer.ts'

let folder = ''
let calls: string[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-signer-'))
  calls = []
})
afterEach(() => rm(folder, { recursive: true }))

/** Writes keys as cosign does. */
const cosign = async (...args: readonly string[]): Promise<string> => {
  calls.push(args.join(' '))
  const [command, , prefix = ''] = args
  if (command === 'generate-key-pair')
    for (const end of ['key', 'pub']) await writeFile(`${prefix}.${end}`, end)
  return ''
}

const workflow = {
  GITHUB_WORKFLOW_REF: 'acme/trellis/.github/workflows/release.yaml@refs/tags/v1.2.3',
  GITHUB_SERVER_URL: 'https://github.com',
  ACTIONS_ID_TOKEN_REQUEST_URL: 'https://token.example',
}

test('a signer with a key of the run publishes nothing in a log, and leaves only the public key', async () => {
  const out = await mkdtemp(join(folder, 'out-'))
  const signer = await keySigner(cosign, { work: folder, out, plainHttp: true })
  await signer.sign(['r/a@sha256:1', 'r/b@sha256:2'])
  await signer.attestSbom('r/a@sha256:1', 'a.cdx.json')
  await signer.signFile('SHA256SUMS')
  await signer.close()
  const how = `--key ${join(folder, 'cosign.key')} --use-signing-config=false --tlog-upload=false`
  expect(calls.slice(1)).toEqual([
    `sign ${how} --allow-http-registry r/a@sha256:1 r/b@sha256:2`,
    `attest ${how} --allow-http-registry --type cyclonedx --predicate a.cdx.json r/a@sha256:1`,
    `sign-blob ${how} --bundle SHA256SUMS.sigstore.json SHA256SUMS`,
  ])
  expect(existsSync(join(folder, 'cosign.key'))).toBe(false)
  expect(await readFile(join(out, 'cosign.pub'), 'utf8')).toBe('pub')
})

test('a signer without a key writes each signature into the log, and names its workflow for verifiers', async () => {
  const signer = keylessSigner(cosign, { plainHttp: false }, workflow)
  await signer.sign(['r/a@sha256:1'])
  expect(calls).toEqual(['sign --yes r/a@sha256:1'])
  expect(signer.verifyArgs).toEqual([
    '--certificate-identity',
    'https://github.com/acme/trellis/.github/workflows/release.yaml@refs/tags/v1.2.3',
    '--certificate-oidc-issuer',
    'https://token.actions.githubusercontent.com',
  ])
})

test.each(Object.keys(workflow))('a signer without a key is refused without %s', name => {
  expect(() => keylessSigner(cosign, { plainHttp: false }, { ...workflow, [name]: '' })).toThrow(
    'the permission id-token: write. Use --sign key elsewhere',
  )
})
