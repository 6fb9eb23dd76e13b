/** All members of a DTO, the optional ones too, if only as undefined: code that builds a DTO from a row cannot forget one. */
export type Complete<Dto> = { [Name in keyof Required<Dto>]: Dto[Name] };
