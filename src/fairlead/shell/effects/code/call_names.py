"""Names of calls that touch files or run commands, in many languages: by their last part, or in full."""

from __future__ import annotations

from fairlead.shell.word_sets import names

TREES = names(
    """
    rmSync rmdirSync rm_rf rm_r rmtree remove_tree remove_dir rm_rf! remove_entry_secure removeSync
    emptyDirSync remove_entry rimraf deleteDir deltree File.rm_rf! File.rm_rf delete-directory delete-tree
    removePathForcibly removeDirectoryRecursive removeItem RemoveAll remove_dir_all remove_all removeDir
    deleteDirectory deleteRecursively delete_recursively cleanDirectory forceDelete delete_dir_all rmdirs
    delete-directory-and-files Directory.Delete removeRecursively deleteTree
    """
)
TREES_BY_OPTION = names(
    "fs.rm rm fsp.rm promises.rm Deno.remove Deno.removeSync fs.rmdir rmdir unlink remove"
)
FILES = names(
    """
    unlink unlinkSync unlink_sync File.delete File.unlink FileUtils.rm FileUtils.rm_f os.remove fs.unlink rm_f
    rmdir file.remove delete-file Deno.remove Deno.removeSync Dir.rmdir Dir.delete os.unlink File.rm! File.rm
    os.Remove remove_file removeFile Files.delete deleteIfExists File.Delete fs::remove_file
    """
)
SHELLS = names(
    """
    exec execSync system shell_exec passthru popen proc_open os.execute io.popen spawn_shell backtick shell
    shell-command shell-command-to-string call-process-shell-command System.cmd :os.cmd os.cmd IO.popen
    Open3.capture2 Open3.capture3 Open3.popen3 ` $ Bun.$ process.execute execCommand run.shell callCommand
    Sys.command execShellCmd run-program uiop:run-program sh shell-out process/exec system* exec.Command
    CommandContext ProcessBuilder Process.run Process.runSync Process.start Process.Start Process.new
    Kernel.spawn Process.spawn unix shellout execl execlp execle execv execvp execvpe
    """
)
PROCESSES = names(
    "spawn spawnSync execFile execFileSync fork Deno.run Deno.Command pcntl_exec Process.spawn system exec"
)
WITH_OWN_NAME = names("execl execlp execle execv execvp execvpe")
"""Calls whose second argument is the name under which the program runs."""
READS = names(
    """
    readFileSync readFile createReadStream file_get_contents fopen File.read File.open IO.read readlines
    Deno.readTextFile Deno.readTextFileSync File.readlines readfile Bun.file io.open slurp read_file
    fs.readFile File.read! openSync file os.ReadFile ioutil.ReadFile read_to_string readAllLines readString
    File.ReadAllText IO.readlines File.foreach IO.foreach readLines scan require load_file readJsonSync
    readJSON parse_ini_file read.csv require_relative io.lines read Dotenv.parse
    """
)
WRITES = names(
    """
    writeFileSync writeFile appendFileSync appendFile createWriteStream file_put_contents File.write IO.write
    File.binwrite IO.binwrite
    Deno.writeTextFile Deno.writeTextFileSync truncateSync Bun.write File.write! symlinkSync chmodSync spit
    os.WriteFile ioutil.WriteFile os.Truncate File.truncate os.Create File.WriteAllText
    """
)
COPIES = names(
    "copyFileSync copyFile copySync cpSync fs.cp FileUtils.cp FileUtils.copy File.Copy fs.copy Deno.copyFile "
    "Deno.copyFileSync file.copy"
)
MOVES = names("renameSync rename fs.rename FileUtils.mv File.rename move moveSync FileUtils.move os.Rename")
EVALUATING = names(
    """
    eval Function runInThisContext runInNewContext runInContext instance_eval class_eval assert load
    loadstring create_function EvalString
    """
)
LISPS = names("elisp lisp scheme racket clojure any")
"""Languages that write a call as `(name arguments)`."""
