import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { type ImageConfig, machinePlatform, unpackImage } from '../../../build/images/images.ts'
import { outputOf } from '../../../build/programs/programs.ts'
import { cosignAt, releaseImages } from '../../../build/release/release.ts'
import { type Registry, startRefusingRegistry, startRegistry } from '../images/registry.ts'
import { regctlAt } from '../programs/regctl.ts'
import { describeWith } from '../with-part.ts'
import { installAndRun } from './install-and-run.ts'
import { createReleaseTree, type Ended, type ReleaseTree } from './release-tree.ts'
import { makeTwoPlatformBase } from './two-platform-base.ts'

const version = '77.1.0'
const programs = ['aws-dnsrecord', 'bridge', 'webhook']
const byKey = ['--key', 'cosign.pub', '--insecure-ignore-tlog=true']

describeWith('cosign', 'a release', ({ cosign: cosignPath }) => {
  const registryPart = inject('registry')
  const helmPart = inject('helm')
  const kubePart = inject('kube')
  for (const part of [registryPart, helmPart, kubePart])
    if ('missing' in part) return test.skip(part.missing, () => {})
  if ('missing' in registryPart || 'missing' in helmPart || 'missing' in kubePart) return

  let scratch = ''
  let tree: ReleaseTree
  let registry: Registry
  let base = ''
  let released: Ended
  let out = ''
  let images: Readonly<Record<string, string>> = {}
  let regctl: ReturnType<typeof regctlAt>
  const cosign = cosignAt(cosignPath)
  const verify = (what: string, reference: string, ...more: readonly string[]) => {
    const key = ['--key', join(out, 'cosign.pub'), '--insecure-ignore-tlog=true', '--allow-http-registry']
    return cosign(what, ...key, ...more, reference)
  }
  const digestOf = (reference = '') => reference.split('@')[1] ?? ''

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'trellis-released-'))
    const local = regctlAt(registryPart.regctl)
    base = await makeTwoPlatformBase(local, join(scratch, 'base'))
    registry = await startRegistry(registryPart.registry)
    regctl = regctlAt(registryPart.regctl, [`reg=${registry.host},tls=disabled`])
  })
  // Each hook has its own limit of time.
  beforeAll(async () => {
    tree = await createReleaseTree(version)
    out = join(tree.folder, 'dist/release')
    const target = ['--version', version, '--registry', `${registry.host}/acme/trellis`]
    released = await tree.release(...target, '--base', base, '--only', programs.join())
    if (released.code === 0) images = JSON.parse(await readFile(join(out, 'images.json'), 'utf8'))
  })
  afterAll(async () => {
    await registry?.stop()
    await tree?.remove()
    await rm(scratch, { recursive: true, force: true })
  })

  test('prints a table of what it made', () => {
    expect(released).toMatchObject({ code: 0 })
    expect(released.stdout).toContain(`version       ${version}, commit ${tree.revision}\n`)
    expect(released.stdout).toContain('signed        3 images with their SBOMs, 3 charts, SHA256SUMS\n')
    expect(released.stdout).toMatch(/ trellis-gardener-trellis-77\.1\.0\.tgz \d+ KiB\n/)
  })

  test('has notes with the changes of the version, and leaves neither its key nor a change in the tree', async () => {
    expect(await readFile(join(out, 'notes.md'), 'utf8')).toMatch(/^### Added\n\n- A test\.\n/)
    expect((await readdir(join(tree.folder, 'dist'))).toSorted()).toEqual(['package', 'release'])
    expect(await readdir(out)).not.toContain('cosign.key')
    expect(await outputOf('git', ['-C', tree.folder, 'status', '--porcelain'])).toBe('')
  })

  describe('has checksums', () => {
    const sums = () => outputOf('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: out })
    const signature = (file: string) =>
      outputOf(cosignPath, ['verify-blob', ...byKey, '--bundle', 'SHA256SUMS.sigstore.json', file], {
        cwd: out,
      })

    test('that match, of every file, with a valid signature', async () => {
      await sums()
      await signature('SHA256SUMS')
      const listed = (await readFile(join(out, 'SHA256SUMS'), 'utf8')).match(/\S+$/gm)
      const files = (await readdir(out)).filter(name => !/^(?:SHA256SUMS|\.)/.test(name))
      expect(listed).toEqual(files.toSorted())
      expect(files.length).toBeGreaterThan(20)
    })

    test('that do not match a changed file, and whose signature does not match changed checksums', async () => {
      const file = join(out, 'images.json')
      const before = await readFile(file)
      await writeFile(file, '{}')
      await expect(sums()).rejects.toThrow('images.json: FAILED')
      await writeFile(file, before)
      const changed = (await readFile(join(out, 'SHA256SUMS'), 'utf8')).replace(/^./, digit =>
        digit === '0' ? '1' : '0',
      )
      await writeFile(join(scratch, 'SHA256SUMS'), changed)
      await expect(signature(join(scratch, 'SHA256SUMS'))).rejects.toThrow('failed to verify signature')
    })
  })

  describe('has images', () => {
    test.each(programs)('with a signature of %s by its key', async program => {
      expect(await verify('verify', images[program] ?? '')).toContain(digestOf(images[program]))
    })

    test('for both platforms; only that of this machine starts from a snapshot', async () => {
      const index = JSON.parse(await regctl('manifest', 'get', images.bridge ?? '', '--format', 'raw-body'))
      const found: Record<string, boolean> = {}
      for (const { platform, digest } of index.manifests) {
        const image = `${images.bridge?.split('@')[0]}@${digest}`
        const { config } = JSON.parse(await regctl('image', 'config', image, '--format', '{{ json . }}'))
        const { Entrypoint = [] }: ImageConfig = config
        found[`${platform.os}/${platform.architecture}`] = Entrypoint.includes('--snapshot-blob')
      }
      const [other = ''] = ['linux/amd64', 'linux/arm64'].filter(platform => platform !== machinePlatform())
      expect(found).toEqual({ [machinePlatform()]: true, [other]: false })
    })

    test('with a signed SBOM that equals the one in the image and the one in the files', async () => {
      const layout = join(scratch, 'sbom')
      const reference = images['aws-dnsrecord'] ?? ''
      await regctl('image', 'copy', '--platform', machinePlatform(), reference, `ocidir://${layout}:function`)
      await unpackImage({ layout, tag: 'function', into: join(scratch, 'sbom-root') })
      const inside = JSON.parse(await readFile(join(scratch, 'sbom-root/trellis/sbom.cdx.json'), 'utf8'))
      expect(inside.components.length).toBeGreaterThan(5)

      const attested = await verify('verify-attestation', reference, '--type', 'cyclonedx')
      const { payload } = JSON.parse(attested.split('\n').find(line => line.startsWith('{')) ?? '')
      const { predicate, subject } = JSON.parse(Buffer.from(payload, 'base64').toString())
      expect(predicate).toEqual(inside)
      expect(`sha256:${subject[0].digest.sha256}`).toBe(digestOf(reference))

      const name = `trellis-sboms-${version}`
      await outputOf('tar', ['-xzf', join(out, `${name}.tgz`), '-C', scratch])
      expect(JSON.parse(await readFile(join(scratch, name, 'aws-dnsrecord.cdx.json'), 'utf8'))).toEqual(
        inside,
      )
    })

    test('whose signatures another key does not match', async () => {
      await cosign('generate-key-pair', '--output-key-prefix', join(scratch, 'other'))
      const refused = cosign(
        ...['verify', '--key', join(scratch, 'other.pub'), '--insecure-ignore-tlog=true'],
        ...['--allow-http-registry', images.bridge ?? ''],
      )
      await expect(refused).rejects.toThrow('failed to verify signature')
    })

    test('that are refused without their signature', async () => {
      const elsewhere = `${registry.host}/elsewhere/bridge`
      await regctl('image', 'copy', images.bridge ?? '', `${elsewhere}:${version}`)
      await expect(verify('verify', `${elsewhere}@${digestOf(images.bridge)}`)).rejects.toThrow(
        'no signatures found',
      )
    })

    test('that are refused once they are changed, although regctl copies their signature', async () => {
      const [repository = ''] = (images.bridge ?? '').split('@')
      await regctl(
        'image',
        'mod',
        images.bridge ?? '',
        '--create',
        `${repository}:tampered`,
        '--label',
        'a=b',
      )
      const tampered = await regctl('image', 'digest', `${repository}:tampered`)
      expect(tampered).not.toBe(digestOf(images.bridge))
      await expect(verify('verify', `${repository}@${tampered}`)).rejects.toThrow(
        'provided artifact digest does not match any digest in statement',
      )
    })

    test('that other machines may have built: the release makes the same index of their layouts', async () => {
      const layouts = join(scratch, 'layouts')
      for (const architecture of ['amd64', 'arm64']) {
        await mkdir(join(layouts, architecture), { recursive: true })
        const target = `ocidir://${layouts}/${architecture}/images:bridge`
        await regctl('image', 'copy', '--platform', `linux/${architecture}`, images.bridge ?? '', target)
      }
      const make = (revision: string) =>
        releaseImages({
          ...{ programs: ['bridge'], bundles: '', work: join(scratch, 'joined'), layouts, plainHttp: true },
          platforms: ['linux/amd64', 'linux/arm64'],
          facts: { project: 'trellis', version, revision, base, created: '1970-01-01T00:00:00Z' },
        })
      expect((await make(tree.revision)).digests.bridge).toBe(digestOf(images.bridge))
      await expect(make('another')).rejects.toThrow(`expected ${version} of commit another. Build it again`)
    })
  })

  describe('has charts', () => {
    const helm = (...args: readonly string[]) =>
      outputOf(helmPart.helm, [...args, '--plain-http'], { cwd: scratch })
    const charts = () => `${registry.host}/acme/trellis/charts`

    test.each(['trellis', 'trellis-admission-runtime', 'trellis-admission-application'])(
      'with a signature of %s, which helm pulls as the same archive',
      async name => {
        const digest = await regctl('image', 'digest', `${charts()}/${name}:${version}`)
        await verify('verify', `${charts()}/${name}@${digest}`)
        await helm('pull', `oci://${charts()}/${name}`, '--version', version)
        const file = `${name}-${version}.tgz`
        expect((await readFile(join(scratch, file))).equals(await readFile(join(out, file)))).toBe(true)
      },
    )

    test('that registrations name by digest, together with the images', async () => {
      const text = await readFile(join(out, 'registration-aws.yaml'), 'utf8')
      const [deployment] = parseAllDocuments(text).map(document => document.toJS())
      const digest = await regctl('image', 'digest', `${charts()}/trellis:${version}`)
      expect(deployment.helm.ociRepository.ref).toBe(`${charts()}/trellis@${digest}`)
      expect(deployment.helm.values.images).toEqual(images)
    })

    test('that install images of the release from the registry alone: a function reconciles a DNSRecord', async () => {
      const { bridge, record, healthy } = await installAndRun({
        ...{ helm, kube: kubePart, regctl, scratch },
        chart: `oci://${charts()}/trellis`,
        version,
        images,
      })
      expect(bridge).toBe(images.bridge)
      expect(healthy).toBe(200)
      expect(record).toMatchObject({ status: { lastOperation: { type: 'Create', state: 'Succeeded' } } })
    })
  })

  test('has manifests with its images by digest', async () => {
    const name = `trellis-manifests-${version}`
    await outputOf('tar', ['-xzf', join(out, `${name}.tgz`), '-C', scratch])
    const text = await readFile(join(scratch, name, 'base/functions/aws-dnsrecord.yaml'), 'utf8')
    expect(text).toContain(`image: ${images['aws-dnsrecord']}\n`)
    expect(await readFile(join(scratch, name, 'base/bridge.yaml'), 'utf8')).toContain(
      `image: ${images.bridge}\n`,
    )
  })

  describe('ends before it builds, with one line of advice,', () => {
    const refusal = async (registryName: string) => {
      const { code, stdout, stderr } = await tree.release(
        '--version',
        version,
        '--registry',
        registryName,
        '--base',
        base,
      )
      expect(stdout).toBe('')
      expect(stderr.trim().split('\n')).toHaveLength(1)
      return `${code} ${stderr}`
    }

    test.each([
      [401, 'it requires other credentials: docker login 127.0.0.1:'],
      [403, 'these credentials may not write there'],
      [503, 'it is broken or unavailable. Try again later'],
    ])('if the registry refuses uploads with %i', async (status, todo) => {
      const refusing = await startRefusingRegistry(status)
      try {
        expect(await refusal(`${refusing.host}/acme`)).toMatch(new RegExp(`^1 release: 127.*${todo}`))
      } finally {
        await refusing.stop()
      }
    })

    test('if the version is released already', async () => {
      expect(await refusal(`${registry.host}/acme/trellis`)).toContain(
        'exists already, and a released version does not change. Make a new version',
      )
    })

    test('if the registry cannot be reached', async () => {
      const gone = await startRefusingRegistry(200)
      await gone.stop()
      expect(await refusal(`${gone.host}/acme`)).toContain(
        'it cannot be reached. Check --registry and the network',
      )
    })

    test('if a file differs from the commit', async () => {
      const file = join(tree.folder, 'README.md')
      const before = await readFile(file)
      await writeFile(file, 'changed')
      expect(await refusal(`${registry.host}/acme`)).toContain('1 files differ from the commit (README.md)')
      await writeFile(file, before)
    })
  })
})
