import * as iam from '@aws-sdk/client-iam'
import { expect, test } from 'vitest'
import { type RecordedCall, recordedAccountOf, recordedCalls } from '../../../../../test/recorded/recorded.ts'
import { createAws } from '../simulator.ts'
import { clientSettings } from '../testing/clients.ts'

const authorization =
  'AWS4-HMAC-SHA256 Credential=AKIA/20260101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=00'

const play = async (url: string, { action, params }: RecordedCall): Promise<string | undefined> => {
  const Action = action.replace('iam:', '')
  const body = new URLSearchParams({ Action, Version: '2010-05-08', ...params })
  const text = await (await fetch(url, { method: 'POST', headers: { authorization }, body })).text()
  return /<Code>(.*)<\/Code>/.exec(text)?.[1]
}

test('the calls of the Go extension make its role and profile', async () => {
  const aws = createAws()
  const client = new iam.IAMClient(clientSettings(aws))
  const server = await aws.listen()
  const calls = recordedCalls('infrastructure/n1')
  const made = recordedAccountOf('infrastructure/n1') as {
    readonly Role: { readonly RoleName: string; readonly Path: string }
    readonly InstanceProfile: { readonly Roles: readonly { readonly RoleName: string }[] }
  }
  const names = { RoleName: 'shoot--p--n1-nodes', InstanceProfileName: 'shoot--p--n1-nodes' }
  const playAll = async (phase: string) => {
    const own = (calls[phase] ?? []).filter(({ action }) => action.startsWith('iam:'))
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
      made.InstanceProfile.Roles.map(({ RoleName }) => RoleName),
    )
    await playAll('delete')
    expect((await client.send(new iam.ListRolesCommand({}))).Roles).toEqual([])
  } finally {
    await server.close()
  }
})
