import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAws } from '../../sandbox/aws/simulator.ts'
import { webIdentityToken } from './aws/web-identity-token.ts'
import { outputOf } from './programs/command.ts'
import { describeWith } from './with-part.ts'

describeWith('python', 'clients of others drive the AWS simulator', ({ python }) => {
  // Changes are in sync at once: waiters of these clients poll every 30 s.
  const aws = createAws({ route53: { insyncAfter: 0 } })
  let listener: Awaited<ReturnType<typeof aws.listen>>
  beforeAll(async () => {
    listener = await aws.listen()
  })
  afterAll(() => listener?.close())

  /** Nothing of the user's own AWS settings may come in. */
  const run = (...args: string[]): Promise<string> =>
    outputOf(python, args, {
      env: {
        PATH: process.env.PATH,
        AWS_ENDPOINT_URL: listener.url,
        AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
        AWS_SECRET_ACCESS_KEY: 'example',
        AWS_REGION: 'eu-west-1',
        AWS_DEFAULT_REGION: 'eu-west-1',
        AWS_CONFIG_FILE: '/dev/null',
        AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
        AWS_EC2_METADATA_DISABLED: 'true',
        AWS_PAGER: '',
      },
    })

  test('boto3', async () => {
    const script = join(import.meta.dirname, 'python', 'drive_simulator.py')
    expect(JSON.parse(await run(script, webIdentityToken))).toEqual({
      route53: {
        pages: 3,
        listed: [
          '\\052.boto3.example.com.',
          'host-0.boto3.example.com.',
          'host-1.boto3.example.com.',
          'host-2.boto3.example.com.',
        ],
        not_empty: ['HostedZoneNotEmpty', 400],
        absent: ['InvalidChangeBatch', 400],
        gone: ['NoSuchHostedZone', 404],
      },
      sts: {
        caller: '123456789012',
        assumed: 'arn:aws:sts::123456789012:assumed-role/dns/boto3',
        no_token: ['InvalidIdentityToken', 400],
      },
    })
  })

  describe('aws-cli', () => {
    const cli = async (...args: string[]) => {
      const text = await run('-m', 'awscli', '--output', 'json', ...args)
      return text === '' ? undefined : JSON.parse(text)
    }
    const batch = (Action: string) =>
      JSON.stringify({
        Changes: [
          {
            Action,
            ResourceRecordSet: {
              Name: 'cli.example.com',
              Type: 'TXT',
              TTL: 60,
              ResourceRecords: [{ Value: '"heritage=gardener"' }],
            },
          },
        ],
      })

    test('tells who is calling', async () => {
      expect(await cli('sts', 'get-caller-identity')).toMatchObject({ Account: '123456789012' })
    })

    test('takes a zone and a record through their lives', async () => {
      const made = await cli(
        'route53',
        'create-hosted-zone',
        '--name',
        'example.com',
        '--caller-reference',
        'cli',
      )
      const zone = ['--hosted-zone-id', made.HostedZone.Id]
      const change = (action: string) =>
        cli('route53', 'change-resource-record-sets', ...zone, '--change-batch', batch(action))

      const { ChangeInfo } = await change('UPSERT')
      await cli('route53', 'wait', 'resource-record-sets-changed', '--id', ChangeInfo.Id)
      const listed = await cli('route53', 'list-resource-record-sets', ...zone, '--page-size', '1')
      expect(listed.ResourceRecordSets).toContainEqual({
        Name: 'cli.example.com.',
        Type: 'TXT',
        TTL: 60,
        ResourceRecords: [{ Value: '"heritage=gardener"' }],
      })
      await change('DELETE')
      await expect(change('DELETE')).rejects.toThrow(/\(InvalidChangeBatch\).* but it was not found/)
      await cli('route53', 'delete-hosted-zone', '--id', made.HostedZone.Id)
      expect(await cli('route53', 'list-hosted-zones')).toEqual({ HostedZones: [] })
    })
  })

  test('none of them called what the simulator does not have', () => {
    expect(aws.notBuilt.all()).toEqual([])
  })
})
