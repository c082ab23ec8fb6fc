import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import type { ImageFlags } from '../../build/images/images.ts'
import { print, printError } from '../../shared/terminal/print.ts'
import { splitList } from '../../shared/text/split-list.ts'
import { projectFlag } from './project-flag.ts'

interface ImageCommandOptions extends ImageFlags {
  readonly project?: string
  readonly source?: string
  readonly out?: string
  readonly plainHttp?: boolean
}

/** `trellis image`: builds an image of each program of a project, and pushes them. */
export const imageCommand = (): Command =>
  new Command('image')
    .description(
      'Bundle each program of a project, build an image of each in an OCI layout, and print their names with digests. It needs no ' +
        'container engine. The images are the base, an image of Node, with one more layer.',
    )
    .addOption(projectFlag())
    .option('--registry <registry>', 'registry and path of the images: ghcr.io/acme/trellis')
    .option('--push', 'push the images there, with the credentials of docker login')
    .option('--tag <tag>', 'their tag there (default: the version of package.json)')
    .option('--only <names>', 'only these programs, separated by commas', splitList)
    .option('--base <image>', 'base image with its digest; ocidir://FOLDER@sha256:… for a layout')
    .option(
      '--platform <platform>',
      "linux/amd64 or linux/arm64 (default: this machine's). Other platforms get no startup snapshot",
    )
    .option('--source <url>', 'URL of the sources, for the labels of the images')
    .option(
      '--out <folder>',
      'output folder, new, empty, or of an earlier run: bundles/, images/ (the layout), images.json (names by program, for install --images) (default: dist of the project)',
    )
    .option('--plain-http', 'the registry, and a base in it, have no TLS')
    .addHelpText(
      'after',
      `
Examples:
  trellis image
  trellis image --registry registry.example.com/acme --push
  trellis install --render registration --provider acme --images dist/images.json | kubectl apply --server-side -f -`,
    )
    .action(async (flags: ImageCommandOptions) => {
      const [images, { findProject }] = await Promise.all([
        import('../../build/images/images.ts'),
        import('../project/find-project.ts'),
      ])
      const { chosenPrograms, claimFolder, findPrograms, imageOptions, imageReferences } = images
      const { makeImages, pushImages, readBase, shareRegistry, sourceFacts, writeBundles } = images
      const project = await findProject(process.cwd(), flags.project)
      const { version, root, name, license } = project
      const { registry, push, tag, base, platform, only } = imageOptions(flags, {
        base: await readBase(),
        version,
      })
      const out = resolve(flags.out ?? join(root, 'dist'))
      if (flags.out !== undefined) await claimFolder(out)
      const bundles = join(out, 'bundles')
      const layout = join(out, 'images')
      const plainHttp = flags.plainHttp === true
      const programs = chosenPrograms(await findPrograms(project), only)
      for await (const written of writeBundles(programs, bundles, project, base))
        printError(`bundled ${written.name}\n`)
      const digests = await makeImages({
        programs: programs.map(program => program.name),
        bundles,
        layout,
        platform,
        plainHttp: plainHttp && (registry === undefined || shareRegistry(base, `${registry}/any`)),
        // Trellis' own programs have one, and its tests require it. Code of an author may do what a snapshot cannot
        // contain.
        onNoSnapshot: (program, reason) =>
          printError(
            `${program} has no startup snapshot, so it starts slower: ${reason}. Code before the first call of the cloud must open no socket (docs/start-up-snapshot.md)\n`,
          ),
        facts: {
          project: name,
          version,
          base,
          ...(license !== undefined && { license }),
          ...sourceFacts(root, process.env),
          ...(flags.source !== undefined && { source: flags.source }),
        },
      })
      if (registry === undefined) {
        for (const [program, digest] of Object.entries(digests)) print(`${program}@${digest}\n`)
        return
      }
      if (push) await pushImages({ layout, registry, tag, digests, plainHttp })
      const references = imageReferences(registry, digests)
      const file = join(out, 'images.json')
      await mkdir(out, { recursive: true })
      await writeFile(file, `${JSON.stringify(references, null, 2)}\n`)
      for (const reference of Object.values(references)) print(`${reference}\n`)
      printError(`${push ? 'pushed; ' : ''}${file} lists the images for the chart\n`)
    })
