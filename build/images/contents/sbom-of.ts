import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'

export interface ProgramContents {
  readonly name: string
  readonly version: string
  /** Folders of the installed packages in its files. */
  readonly packages: readonly string[]
}

/**
 * Returns the contents of a program as CycloneDX 1.6 in JSON (https://cyclonedx.org/docs/1.6/json/). The same contents
 * give the same text: it has neither a serial number nor a time. The contents of the base image are excluded: bases
 * have their own lists.
 */
export const sbomOf = async ({ name, version, packages }: ProgramContents): Promise<string> => {
  const program = new Models.Component(Enums.ComponentType.Application, name, {
    bomRef: purlOf(`@trellis-gardener/${name}`, version),
    version,
    licenses: new Models.LicenseRepository([new Models.SpdxLicense('Apache-2.0')]),
  })
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: program }) })
  for (const folder of packages) {
    const component = await componentOf(folder)
    bom.components.add(component)
    program.dependencies.add(component.bomRef)
  }
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
  const serializer = new Serialize.JsonSerializer(factory)
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`
}

/** The license is one of SPDX's: the notices of a bundle have already refused any other. */
const componentOf = async (folder: string): Promise<Models.Component> => {
  const { name, version, license, description } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  ) as Readonly<Record<'name' | 'version' | 'license', string>> & { readonly description?: string }
  const purl = purlOf(name, version)
  const [group, ownName] = name.startsWith('@') ? name.split('/') : [undefined, name]
  return new Models.Component(Enums.ComponentType.Library, ownName ?? name, {
    bomRef: purl,
    purl,
    version,
    licenses: new Models.LicenseRepository([new Models.SpdxLicense(license)]),
    ...(group === undefined ? {} : { group }),
    ...(description === undefined ? {} : { description }),
  })
}

/** https://github.com/package-url/purl-spec: the scope of a package is its namespace, with an encoded @. */
const purlOf = (name: string, version: string): string =>
  `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`
