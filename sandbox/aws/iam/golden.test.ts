import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as iam from '@aws-sdk/client-iam'
import { expect, test } from 'vitest'
import { createAws } from '../simulator.ts'
import { clientSettings } from '../testing/clients.ts'

/** Calls of Gardener's Go extension, and what they made; not part of the product. */
const recordings = fileURLToPath(new URL('../../../../shared/golden/infrastructure/', import.meta.url))

interface RecordedCall {
  readonly action: string
  readonly error?: string
  readonly params?: Readonly<Record<string, string>>
}

const recorded = (file: string) => JSON.parse(readFileSync(`${recordings}${file}`, 'utf8'))

const authorization =
  'AWS4-HMAC-SHA256 Credential=AKIA/20260101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=00'

const play = async (url: string, { action, params }: RecordedCall): Promise<string | undefined> => {
  const Action = action.replace('iam:', '')
  const body = new URLSearchParams({ Action, Version: '2010-05-08', ...params })
  const text = await (await fetch(url, { method: 'POST', headers: { authorization }, body })).text()
  return /<Code>(.*)<\/Code>/.exec(text)?.[1]
}

test.skipIf(!existsSync(recordings))('the calls of the Go extension make its role and profile', async () => {
  const aws = createAws()
  const client = new iam.IAMClient(clientSettings(aws))
  const server = await aws.listen()
  const calls: Record<'create' | 'idle1' | 'idle2' | 'delete', RecordedCall[]> = recorded('n1.calls.json')
  const made = recorded('n1.aws.json')
  const names = { RoleName: 'shoot--p--n1-nodes', InstanceProfileName: 'shoot--p--n1-nodes' }
  const playAll = async (phase: keyof typeof calls) => {
    const own = calls[phase].filter(({ action }) => action.startsWith('iam:'))
    expect(own.length).toBeGreaterThan(0)
    for (const call of own) expect(await play(server.url, call)).toBe(call.error)
  }
  try {
    await playAll('create')
    await playAll('idle1')
    const { Role } = await client.send(new iam.GetRoleCommand(names))
    const { InstanceProfile } = await client.send(new iam.GetInstanceProfileCommand(names))
    expect(Role?.RoleName).toBe(made.Role.RoleName)
    expect(Role?.Path).toBe(made.Role.Path)
    expect(InstanceProfile?.Roles?.map(({ RoleName }) => RoleName)).toEqual(
      made.InstanceProfile.Roles.map(({ RoleName }: { RoleName: string }) => RoleName),
    )
    await playAll('delete')
    expect((await client.send(new iam.ListRolesCommand({}))).Roles).toEqual([])
  } finally {
    await server.close()
  }
})
