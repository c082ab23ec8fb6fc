import { ValuesError } from './parse-values.ts'

/** No image is looked up in a registry of somebody else: who makes no images of this version has none. */
export const noRegistry =
  'image.registry: name the registry that the images are in, such as registry.example.com/trellis'

/** The image of a program, as the chart's templates name it. Throws a `ValuesError` where nobody says which registry it is in. */
export const imageOf =
  (
    {
      image,
      images,
    }: {
      readonly image: { readonly registry: string; readonly tag: string }
      readonly images: Readonly<Record<string, string | undefined>>
    },
    version: string,
  ) =>
  (program: string): string => {
    const given = images[program]
    if (given !== undefined) return given
    if (image.registry === '') throw new ValuesError(noRegistry)
    return `${image.registry}/${program}:${image.tag || version}`
  }
