import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import {
  AllocateAddressCommand,
  CreateNatGatewayCommand,
  DescribeNatGatewaysCommand,
  DescribeSubnetsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../trellis.mjs', import.meta.url))

/** Returns the state of a new NAT gateway in a default subnet, right after its creation. */
const stateOfNew = async (endpoint: string): Promise<string | undefined> => {
  const client = new EC2Client({
    endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  })
  try {
    const { Subnets } = await client.send(new DescribeSubnetsCommand({}))
    const { AllocationId } = await client.send(new AllocateAddressCommand({ Domain: 'vpc' }))
    const SubnetId = Subnets?.[0]?.SubnetId
    const { NatGateway } = await client.send(new CreateNatGatewayCommand({ SubnetId, AllocationId }))
    const NatGatewayIds = [NatGateway?.NatGatewayId ?? '']
    const { NatGateways } = await client.send(new DescribeNatGatewaysCommand({ NatGatewayIds }))
    return NatGateways?.[0]?.State
  } finally {
    client.destroy()
  }
}

test.each([
  ['dev', ['--scale', '0'], 'available'],
  ['dev', ['--scale', '1'], 'pending'],
  ['dev', ['--real-time'], 'pending'],
  ['aws', ['--scale', '0'], 'available'],
  ['aws', ['--real-time'], 'pending'],
] as const)('trellis %s %j: a new NAT gateway is %s', async (command, flags, state) => {
  const child = spawn(process.execPath, [program, command, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  try {
    let printed = ''
    let url: string | undefined
    while (!url) {
      const read = await Promise.race([once(child.stdout, 'data'), exited.then(() => undefined)])
      if (read === undefined) throw new Error('it has not started')
      printed += String(read[0])
      url = /(?:AWS|Endpoint) +(http:\S+) /.exec(printed)?.[1]
    }
    expect(await stateOfNew(url)).toBe(state)
  } finally {
    child.kill('SIGTERM')
    await exited
  }
})
