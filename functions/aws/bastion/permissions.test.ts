import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startAccount } from './testing/account.ts'
import { blocks } from './testing/objects.ts'
import { stepsOver } from './testing/steps.ts'

const page = readFileSync(new URL('../../../docs/bastions.md', import.meta.url), 'utf8')
const listed = (page.split('## Permissions')[1] ?? '').split('\n\n')[1] ?? ''
const named = [...listed.replace('`ec2:`', '').matchAll(/\w+/g)].map(([action]) => `ec2:${action}`)

/** Runs the life of a bastion with a key that has the given permissions. Returns the refused action, or undefined. */
const refusal = async (allow: readonly string[]): Promise<string | undefined> => {
  const account = startAccount()
  await account.makeNetwork()
  const secret = { accessKeyID: 'AKIALEAST', secretAccessKey: 'made-up' }
  account.aws
    .account()
    .register({ accessKeyId: secret.accessKeyID, secretAccessKey: secret.secretAccessKey, allow })
  const { until, change } = stepsOver(account.aws.requestHandler, account.clock, {}, { secret })
  try {
    await until('reconcile')
    change({ spec: { ingress: blocks('198.51.100.0/24') } })
    await until('reconcile')
    await until('remove')
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

test('the permissions on the page suffice for the life of a bastion', async () => {
  expect(await refusal(named)).toBeUndefined()
})

test.each(named)('without %s a call is refused', async action => {
  expect(await refusal(named.filter(other => other !== action))).toContain('UnauthorizedOperation')
})
