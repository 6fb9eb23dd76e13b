/** All members of a DTO, the optional ones too, if only as undefined: none can be forgotten where one is made from a row. */
export type Complete<Dto> = { [Name in keyof Required<Dto>]: Dto[Name] };
