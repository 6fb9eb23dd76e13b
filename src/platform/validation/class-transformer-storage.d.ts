declare module 'class-transformer/cjs/storage' {
  export const defaultMetadataStorage: {
    findTypeMetadata(dto: Function, member: string): { typeFunction(): unknown } | undefined;
  };
}
