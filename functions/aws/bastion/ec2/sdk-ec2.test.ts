import { CreateSecurityGroupCommand, CreateVpcCommand, EC2Client } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { createAws, operatorCredentials } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import { clientSettings } from '../../../../terraform-free-infra/aws/account/client/client.ts'
import type { AwsRequestHandler } from '../../../../terraform-free-infra/aws/account/client/request-handler.ts'
import { sdkEc2 } from './sdk-ec2.ts'

const options = {
  throwIfExpired: () => {},
  signal: new AbortController().signal,
  secrets: [],
  explain: () => undefined,
}

test('all pages of an EC2 list are read', async () => {
  const { requestHandler } = createAws()
  const client = new EC2Client(clientSettings({ requestHandler }, 'eu-west-1', operatorCredentials))
  for (let index = 1; index <= 6; index++) {
    const { Vpc } = await client.send(new CreateVpcCommand({ CidrBlock: `10.${index}.0.0/16` }))
    const group = { VpcId: Vpc?.VpcId, GroupName: 'bastion', Description: 'of a test' }
    await client.send(new CreateSecurityGroupCommand(group))
  }
  // Pages as in a large account. EC2 requires at least five items per page.
  const inPages: AwsRequestHandler = {
    handle: (request, options) => {
      const body = String(request.body)
      if (body.includes('Action=DescribeSecurityGroups'))
        Object.assign(request, { body: `${body}&MaxResults=5` })
      return requestHandler.handle(request, options)
    },
  }
  const paged = sdkEc2(clientSettings({ requestHandler: inPages }, 'eu-west-1', operatorCredentials), options)
  expect(await paged.groupsNamed(['bastion'])).toHaveLength(6)
})
