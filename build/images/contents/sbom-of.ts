import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ComponentType } from '@cyclonedx/cyclonedx-library/Enums'
import {
  Bom,
  Component,
  LicenseRepository,
  Metadata,
  NamedLicense,
  SpdxLicense,
} from '@cyclonedx/cyclonedx-library/Models'
import { JSON as JsonFormat, JsonSerializer } from '@cyclonedx/cyclonedx-library/Serialize'
import { Spec1dot6 } from '@cyclonedx/cyclonedx-library/Spec'

export interface ProgramContents {
  readonly project: string
  readonly name: string
  readonly version: string
  readonly license: string | undefined
  /** Folders of the installed packages in its files. */
  readonly packages: readonly string[]
  /** The base image with Node: `<image>@<digest>`. Absent for a program without an image. */
  readonly base?: string | undefined
}

/**
 * Returns the contents of a program as CycloneDX 1.6 in JSON (https://cyclonedx.org/docs/1.6/json/). The same contents
 * give the same text: it has neither a serial number nor a time. The base image is one component: bases have their own
 * lists. The tool is the Node that builds.
 */
export const sbomOf = async ({
  project,
  name,
  version,
  license,
  packages,
  base,
}: ProgramContents): Promise<string> => {
  const program = new Component(ComponentType.Application, name, {
    bomRef: `pkg:generic/${project}/${name}@${encodeURIComponent(version)}`,
    version,
    licenses: licensesOf(license),
  })
  const bom = new Bom({ metadata: new Metadata({ component: program }) })
  bom.metadata.tools.components.add(node())
  const components = await Promise.all(packages.map(componentOf))
  for (const component of base === undefined ? components : [...components, baseOf(base)]) {
    bom.components.add(component)
    program.dependencies.add(component.bomRef)
  }
  const factory = new JsonFormat.Normalize.Factory(Spec1dot6)
  const serializer = new JsonSerializer(factory)
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`
}

/** The name of a license, if it is none of SPDX's. */
const licensesOf = (license: string | undefined): LicenseRepository => {
  if (license === undefined) return new LicenseRepository()
  try {
    return new LicenseRepository([new SpdxLicense(license)])
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return new LicenseRepository([new NamedLicense(license)])
  }
}

const node = (): Component => {
  const { node: version } = process.versions
  return new Component(ComponentType.Platform, 'node', { version, purl: `pkg:generic/node@${version}` })
}

/** https://github.com/package-url/purl-spec: an image is named by its repository and its digest. */
const baseOf = (base: string): Component => {
  const [image = '', digest = ''] = base.split('@')
  const repository = image.replace(/:[^:/]*$/, '')
  const purl = `pkg:oci/${repository.split('/').at(-1)}@${encodeURIComponent(digest)}?repository_url=${repository}`
  return new Component(ComponentType.Container, repository, {
    bomRef: base,
    version: digest,
    description: 'The base image: Node, with the libraries that it needs.',
    ...(image.startsWith('ocidir:') ? {} : { purl }),
  })
}

const componentOf = async (folder: string): Promise<Component> => {
  const { name, version, license, description } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  ) as Readonly<Record<'name' | 'version', string>> &
    Readonly<Partial<Record<'license' | 'description', string>>>
  const purl = purlOf(name, version)
  const [group, ownName] = name.startsWith('@') ? name.split('/') : [undefined, name]
  return new Component(ComponentType.Library, ownName ?? name, {
    bomRef: purl,
    purl,
    version,
    licenses: licensesOf(license),
    ...(group === undefined ? {} : { group }),
    ...(description === undefined ? {} : { description }),
  })
}

/** https://github.com/package-url/purl-spec: the scope of a package is its namespace, with an encoded @. */
const purlOf = (name: string, version: string): string =>
  `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`
