import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { CreateVpcCommand, DescribeVpcsCommand, EC2Client } from '@aws-sdk/client-ec2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AwsSettings, startAws } from './start-aws.ts'

const program = new URL('../../../../cli/trellis.mjs', import.meta.url).pathname
const settings: AwsSettings = {
  port: 0,
  scale: 0,
  account: '123456789012',
  throttle: false,
  quotas: false,
  loggedCalls: 100,
}
const clientOf = (endpoint: string) =>
  new EC2Client({
    endpoint,
    region: 'eu-west-1',
    maxAttempts: 1,
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  })
const newVpc = new CreateVpcCommand({ CidrBlock: '10.0.0.0/16' })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-aws-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a test with its own simulator, then closes it. */
const withAws = async <Result>(
  extra: Partial<AwsSettings>,
  use: (client: EC2Client) => Promise<Result>,
): Promise<Result> => {
  const running = await startAws({ ...settings, ...extra })
  const client = clientOf(running.url)
  try {
    return await use(client)
  } finally {
    client.destroy()
    await running.close()
  }
}

const nameOf = (call: Promise<unknown>) =>
  call.then(
    () => 'success',
    (error: Error) => error.name,
  )

describe('trellis aws', () => {
  test('accepts any credentials, prints lines to copy, and ends with the signal', async () => {
    const child = spawn(process.execPath, [program, 'aws', '--verbose', '--region', 'eu-central-1'])
    const exited = once(child, 'exit')
    const lines: string[] = []
    try {
      for await (const line of createInterface({ input: child.stdout })) {
        lines.push(line)
        const url = /^ {2}Endpoint {2}(\S+)/.exec(line)?.[1]
        if (url === undefined && !line.includes('DescribeVpcs')) continue
        if (url === undefined) break
        const client = clientOf(url)
        const { Vpcs } = await client.send(new DescribeVpcsCommand({}))
        client.destroy()
        expect(Vpcs).toMatchObject([{ IsDefault: true, CidrBlock: '172.31.0.0/16' }])
      }
    } finally {
      child.kill('SIGTERM')
    }
    expect(await exited).toEqual([0, null])
    expect(lines.join('\n')).toMatch(
      /export AWS_ENDPOINT_URL=http:\/\/127\.0\.0\.1:\d+ AWS_REGION=eu-central-1/,
    )
    expect(lines.at(-1)).toMatch(/ec2:DescribeVpcs eu-west-1 → 200$/)
  })

  test.each([
    { flags: ['--port', '65536'], says: /expected a port/ },
    { flags: ['--port', 'http'], says: /expected a port/ },
    { flags: ['--region', 'Europe'], says: /expected a region/ },
    { flags: ['--scale', 'fast'], says: /expected a number/ },
    { flags: ['--real-time', '--scale', '2'], says: /cannot be used with option/ },
    { flags: ['--account', '1'], says: /expected 12 digits/ },
    { flags: ['--calls', '0'], says: /expected a number/ },
    { flags: ['--bogus'], says: /unknown option/ },
    { flags: ['--snapshot', program], says: /is not valid JSON\. Choose another file with --snapshot/ },
  ])('refuses $flags with one line and exit code 2', async ({ flags, says }) => {
    const failure = await promisify(execFile)(process.execPath, [program, 'aws', ...flags]).catch(
      error => error,
    )
    expect(failure).toMatchObject({ code: 2, stderr: expect.stringMatching(says) })
  })

  test('saves an account in a file between runs', async () => {
    const snapshot = join(folder, 'account.json')
    const made = await withAws({ snapshot }, client => client.send(newVpc))
    const again = await withAws({ snapshot }, client => client.send(new DescribeVpcsCommand({})))
    expect(again.Vpcs?.map(vpc => vpc.VpcId)).toContain(made.Vpc?.VpcId)
  })

  test.each([
    ['[1]', /is not a saved state: expected an account, found list/],
    [
      '{"id":"111111111111","services":{}}',
      /contains account 111111111111. Start it with --account 111111111111/,
    ],
  ])('does not overwrite a file with %s', async (content, says) => {
    const snapshot = join(folder, 'other.json')
    await writeFile(snapshot, content)
    await expect(startAws({ ...settings, snapshot })).rejects.toThrow(says)
    expect(await readFile(snapshot, 'utf8')).toBe(content)
  })

  test('reports that a port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    await expect(startAws({ ...settings, port })).rejects.toThrow(`port ${port} is in use`)
    other.close()
  })

  test.each([
    [{ quotas: true }, 'VpcLimitExceeded'],
    [{ quotas: false }, 'success'],
  ] as const)(
    'with %j creates the fifth VPC beside the default one with the result %s',
    async (extra, outcome) => {
      const names = await withAws(extra, async client => {
        const seen: string[] = []
        for (let count = 0; count < 5; count++) seen.push(await nameOf(client.send(newVpc)))
        return seen
      })
      expect(names.at(-1)).toBe(outcome)
    },
  )

  test('throttles calls beyond the rates of AWS if enabled', async () => {
    const names = await withAws({ throttle: true }, client =>
      Promise.all(Array.from({ length: 250 }, () => nameOf(client.send(new DescribeVpcsCommand({}))))),
    )
    expect(new Set(names)).toEqual(new Set(['success', 'RequestLimitExceeded']))
  })
})
