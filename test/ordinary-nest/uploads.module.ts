import {
  Body,
  Controller,
  FileTypeValidator,
  MaxFileSizeValidator,
  Module,
  ParseFilePipe,
  Post,
  Req,
  UploadedFile,
  UploadedFiles,
  UseInterceptors,
} from '@nestjs/common';
import {
  FileFieldsInterceptor,
  FileInterceptor,
  FilesInterceptor,
  NoFilesInterceptor,
} from '@nestjs/platform-express';
import { ApiBody, ApiConsumes, ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import type { Request } from 'express';
import { RequireScopes } from '../../src/platform/security/access.decorators';

class CoverDto {
  @ApiProperty({ type: 'string', format: 'binary' })
  file!: unknown;

  @IsString()
  title!: string;
}

class TitleDto {
  @IsString()
  title!: string;
}

/** The examples of Nest's chapter on file upload. */
@RequireScopes('uploads:write')
@Controller('uploads')
class UploadsController {
  @Post()
  @UseInterceptors(FileInterceptor('file'))
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: CoverDto })
  one(@UploadedFile() file: Express.Multer.File, @Body() { title }: TitleDto): object {
    return { name: file.originalname, text: file.buffer.toString(), title };
  }

  @Post('checked')
  @UseInterceptors(FileInterceptor('file'))
  checked(
    @UploadedFile(
      new ParseFilePipe({
        validators: [
          new MaxFileSizeValidator({ maxSize: 10 }),
          new FileTypeValidator({ fileType: 'text/plain', skipMagicNumbersValidation: true }),
        ],
      }),
    )
    file: Express.Multer.File,
  ): object {
    return { size: file.size };
  }

  @Post('small')
  @UseInterceptors(FileInterceptor('file', { limits: { fileSize: 10 } }))
  small(@UploadedFile() file: Express.Multer.File): object {
    return { size: file.size };
  }

  @Post('large')
  @UseInterceptors(FileInterceptor('file', { limits: { fileSize: 3 * 1024 * 1024 } }))
  large(@UploadedFile() file: Express.Multer.File): object {
    return { size: file.size };
  }

  @Post('several')
  @UseInterceptors(FilesInterceptor('files', 2))
  several(@UploadedFiles() files: Express.Multer.File[]): object {
    return { count: files.length };
  }

  @Post('fields')
  @UseInterceptors(FileFieldsInterceptor([{ name: 'avatar', maxCount: 1 }, { name: 'background' }]))
  fields(@UploadedFiles() files: Record<string, Express.Multer.File[]>): object {
    return { names: Object.keys(files) };
  }

  @Post('none')
  @UseInterceptors(NoFilesInterceptor())
  @ApiConsumes('multipart/form-data')
  none(@Body() { title }: TitleDto): object {
    return { title };
  }

  @Post('bare')
  @UseInterceptors(FileInterceptor('file'))
  bare(@Req() { file }: Request): object {
    return { name: file?.originalname ?? null };
  }
}

@Module({ controllers: [UploadsController] })
export class UploadsModule {}
