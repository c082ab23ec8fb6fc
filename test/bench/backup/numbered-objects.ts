import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** The name that etcd-backup-restore gives a full snapshot. */
const keyOf = (number: number): string =>
  `shoot--foo--bar--0c1f3a52-6a3f-4a0b-9d55-2f1f4f3f6d11/v2/Full-00000000-${String(number).padStart(8, '0')}-1767225600.gz`

const numbers = /Full-00000000-(\d{8})-/g

const page = 1_000

interface Answer {
  readonly status: number
  readonly body: string
}

const failure = (status: number, code: string): Answer => ({
  status,
  body: `<Error><Code>${code}</Code><Message>${code}</Message></Error>`,
})

/**
 * Starts an S3 with one bucket of `count` objects, which can be listed and deleted as fast as the machine allows. The
 * simulator of the sandbox stores every part of an object and would itself be measured.
 */
export const startNumberedObjects = async (count: number) => {
  const isThere = new Uint8Array(count).fill(1)
  let left = count
  let bucketThere = true

  const list = (marker: string | null): Answer => {
    const [, after] = marker === null ? [] : (new RegExp(numbers, '').exec(marker)?.slice(0, 2) ?? [])
    const found: number[] = []
    let number = after === undefined ? 0 : Number(after) + 1
    for (; number < count && found.length < page; number++) if (isThere[number]) found.push(number)
    const last = found.at(-1)
    const isTruncated = last !== undefined && isThere.indexOf(1, last + 1) !== -1
    const versions = found.map(
      each =>
        `<Version><Key>${encodeURIComponent(keyOf(each))}</Key><VersionId>null</VersionId><IsLatest>true</IsLatest><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>&quot;d41d8cd98f00b204e9800998ecf8427e&quot;</ETag><Size>4096</Size><StorageClass>STANDARD</StorageClass></Version>`,
    )
    const next = isTruncated
      ? `<NextKeyMarker>${encodeURIComponent(keyOf(last))}</NextKeyMarker><NextVersionIdMarker>null</NextVersionIdMarker>`
      : ''
    return {
      status: 200,
      body: `<ListVersionsResult><EncodingType>url</EncodingType><IsTruncated>${isTruncated}</IsTruncated>${next}${versions.join('')}</ListVersionsResult>`,
    }
  }

  const deleteObjects = (body: string): Answer => {
    for (const [, number] of body.matchAll(numbers)) {
      left -= isThere[Number(number)] ?? 0
      isThere[Number(number)] = 0
    }
    return { status: 200, body: '<DeleteResult></DeleteResult>' }
  }

  const deleteBucket = (): Answer => {
    if (left > 0) return failure(409, 'BucketNotEmpty')
    bucketThere = false
    return { status: 204, body: '' }
  }

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const { searchParams } = new URL(request.url ?? '/', 'http://s3')
    const body = await text(request)
    if (!bucketThere) return failure(404, 'NoSuchBucket')
    if (request.method === 'DELETE') return deleteBucket()
    if (searchParams.has('delete')) return deleteObjects(body)
    if (searchParams.has('versions')) return list(searchParams.get('key-marker'))
    return failure(404, 'NoSuchBucketPolicy')
  }

  const server = createServer(async (request, response) => {
    const { status, body } = await answer(request)
    response.writeHead(status, { 'content-type': 'application/xml' }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    left: () => left,
    isBucketThere: () => bucketThere,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
