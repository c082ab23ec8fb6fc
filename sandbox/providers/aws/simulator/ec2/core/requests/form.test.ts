import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Listening } from '../../../serve/http.ts'
import { createAws } from '../../../simulator.ts'

const aws = createAws()
let server: Listening

beforeAll(async () => {
  server = await aws.listen()
})

afterAll(() => server.close())

const signature =
  'AWS4-HMAC-SHA256 Credential=AKIA/20260101/eu-west-1/ec2/aws4_request, SignedHeaders=host, Signature=00'

const post = async (body: string): Promise<string> => {
  const headers = { authorization: signature, 'content-type': 'application/x-www-form-urlencoded' }
  const response = await fetch(server.url, { method: 'POST', headers, body })
  const text = await response.text()
  const [, code = 'ok'] = /<Code>([^<]*)<\/Code>/.exec(text) ?? []
  const [, message = ''] = /<Message>([^<]*)<\/Message>/.exec(text) ?? []
  return `${response.status} ${code} ${message}`.trim()
}

const version = 'Version=2016-11-15'

describe('a form', () => {
  test.each([
    [`Action=DescribeVpcs&${version}`, '200 ok'],
    [`Action=DescribeVpcs&${version}&Filter.1.Name=state&Filter.1.Value.1=available`, '200 ok'],
    [`Action=DescribeVpcs&${version}&Foo=bar`, '400 UnknownParameter The parameter Foo is not recognized'],
    [
      `Action=DescribeVpcs&${version}&Filter.1.Nam=state`,
      '400 UnknownParameter The parameter Filter.1.Nam is not recognized',
    ],
    [
      `Action=DescribeVpcs&${version}&Filter.one.Name=state`,
      '400 UnknownParameter The parameter Filter.one.Name is not recognized',
    ],
    [
      `Action=DescribeVpcs&${version}&MaxResults.1=5`,
      '400 UnknownParameter The parameter MaxResults.1 is not recognized',
    ],
    [
      'Action=DescribeVpcs&Version=1999-11-15',
      '400 NoSuchVersion The requested version (1999-11-15) of service AmazonEC2 does not exist',
    ],
    [
      `Action=DescribeVpcs&${version}&MaxResults=many`,
      '400 InvalidParameterValue Value for parameter MaxResults is invalid: &quot;many&quot; is no number',
    ],
    [
      `Action=Nonsense&${version}`,
      '400 InvalidAction The action Nonsense is not valid for this web service.',
    ],
  ])('%s returns %s', async (body, answer) => {
    expect(await post(body)).toBe(answer)
    expect(aws.notBuilt.take()).toEqual(answer.includes('InvalidAction') ? ['ec2:Nonsense'] : [])
  })
})
