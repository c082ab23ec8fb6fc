import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'

const folder = fileURLToPath(new URL('../../cli/console/page/', import.meta.url))

/** The program of the console's page, and the folders of the packages in it. */
export interface BuiltPage {
  readonly script: string
  readonly style: string
  readonly metafile: Metafile
}

/** Bundles the page: one script without imports, and one style sheet. */
export const buildPage = async (): Promise<BuiltPage> => {
  const { outputFiles, metafile } = await build({
    entryPoints: [`${folder}main.tsx`],
    absWorkingDir: folder,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'iife',
    target: 'es2024',
    platform: 'browser',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
  })
  const style = await build({
    entryPoints: [`${folder}style/style.css`],
    absWorkingDir: folder,
    bundle: true,
    minify: true,
    write: false,
    logLevel: 'warning',
  })
  return {
    // A script element ends at this text, wherever it is.
    script: (outputFiles[0]?.text ?? '').trim().replaceAll('</script', '<\\/script'),
    style: (style.outputFiles[0]?.text ?? '').trim(),
    metafile,
  }
}
