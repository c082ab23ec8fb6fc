import { setTimeout } from 'node:timers/promises'
import { DescribeVpcsCommand, type EC2Client } from '@aws-sdk/client-ec2'
import { createAws } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { above, atMost, type Benchmark, below, type Figure, here } from '../figure.ts'
import { ec2Of, msPerCall } from './rate.ts'
import { startServer } from './server-process.ts'
import { makeShootNetwork } from './shoot-network.ts'

const program = new URL('../../../cli/trellis.mjs', import.meta.url).pathname
const fixedBody = new URL('fixed-body.cjs', import.meta.url).pathname
const many = 1_000
const nameOf = (index: number) => `shoot--bench--${index}`

const byId = (ec2: EC2Client, id: string) => () => ec2.send(new DescribeVpcsCommand({ VpcIds: [id] }))
const byTag = (ec2: EC2Client) => () =>
  ec2.send(new DescribeVpcsCommand({ Filters: [{ Name: 'tag:Name', Values: [nameOf(0)] }] }))

/** Creates the networks from index `from` on, several in parallel. Returns the VPC id of the first one. */
const makeNetworks = async (ec2: EC2Client, from: number, to: number, workers: number): Promise<string> => {
  const ids: string[] = []
  let next = from
  const worker = async () => {
    for (let index = next++; index < to; index = next++)
      ids[index] = await makeShootNetwork(ec2, nameOf(index))
  }
  await Promise.all(Array.from({ length: workers }, worker))
  return ids[from] ?? ''
}

/** Measures the SDK, with its signing and codec, against the simulator in this process. */
const inProcess: Benchmark = {
  name: 'aws-calls',
  run: async () => {
    const aws = createAws({ ec2: { durations: { scale: 0 } } })
    const ec2 = ec2Of({ requestHandler: aws.requestHandler })
    const id = await makeNetworks(ec2, 0, 1, 1)
    const alone = await msPerCall([byId(ec2, id), byTag(ec2)])
    await makeNetworks(ec2, 1, many, 1)
    const among = await msPerCall([byId(ec2, id), byTag(ec2)])
    const found = await byTag(ec2)()
    if (found.Vpcs?.[0]?.VpcId !== id) throw new Error('the VPC was not found by its tag')
    const describe = (how: string, index: number): Figure => ({
      name: `AWS simulator: describe a VPC by ${how} among ${many}`,
      value: among[index] ?? 0,
      unit: 'ms',
      target: atMost(2 * (alone[index] ?? 0)),
      reference: { name: 'alone', value: alone[index] ?? 0, source: here },
      with: 'each VPC with 9 subnets, 4 route tables, 3 NAT gateways, groups, endpoint',
    })
    return [
      {
        name: 'AWS simulator: calls in process, one core',
        value: 1000 / (alone[0] ?? 0),
        unit: 'calls/s',
        target: above(2_000),
        with: 'EC2 DescribeVpcs; SDK, signing and codec included',
      },
      describe('id', 0),
      describe('tag', 1),
    ]
  },
}

/** Measures calls over HTTP, compared with a server that answers the same bytes to every request. */
const overHttp: Benchmark = {
  name: 'aws-http',
  run: async () => {
    const simulator = await startServer(program, 'aws')
    const ec2 = ec2Of({ endpoint: simulator.url })
    const first = await ec2.send(new DescribeVpcsCommand({}))
    const id = String(first.Vpcs?.[0]?.VpcId)
    const response = await fetch(`${simulator.url}/?Action=DescribeVpcs&Version=2016-11-15&VpcId.1=${id}`, {
      headers: {
        authorization:
          'AWS4-HMAC-SHA256 Credential=AKIABENCH/20260101/eu-west-1/ec2/aws4_request, SignedHeaders=host, Signature=00',
      },
    })
    const body = Buffer.from(await response.arrayBuffer()).toString('base64')
    const fixed = await startServer(fixedBody, body)
    const other = ec2Of({ endpoint: fixed.url })
    try {
      const [ours = 0, theirs = 0] = await msPerCall([byId(ec2, id), byId(other, id)])
      return [
        {
          name: 'AWS simulator: a call over HTTP',
          value: ours,
          unit: 'ms',
          target: atMost(1.4 * theirs),
          reference: { name: 'fixed body', value: theirs, source: here },
          with: 'EC2 DescribeVpcs by the SDK, server in a process of its own',
        },
      ]
    } finally {
      ec2.destroy()
      other.destroy()
      await Promise.all([simulator.close(), fixed.close()])
    }
  },
}

/** Measures the memory of `trellis aws`, empty and full. */
const memory: Benchmark = {
  name: 'aws-memory',
  run: async () => {
    // The first start may have to fill the compile cache, which needs extra memory.
    await (await startServer(program, 'aws')).close()
    const simulator = await startServer(program, 'aws', '--scale', '0')
    const ec2 = ec2Of({ endpoint: simulator.url })
    try {
      const empty = await simulator.memory()
      await makeNetworks(ec2, 0, many, 8)
      // The simulator frees the memory of calls after 2 s without calls.
      await setTimeout(3_000)
      const full = await simulator.memory()
      const figure = (name: string, value: number | undefined): Figure[] =>
        value === undefined ? [] : [{ name, value, unit: 'MB', target: below(150) }]
      return [
        ...figure('trellis aws: resident memory, empty account', empty),
        ...figure(`trellis aws: resident memory at rest, ${many} VPCs with all their parts`, full),
      ]
    } finally {
      ec2.destroy()
      await simulator.close()
    }
  },
}

export const awsBenchmarks: readonly Benchmark[] = [inProcess, overHttp, memory]
