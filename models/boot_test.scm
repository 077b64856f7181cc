; The boot sequence of a router, with its boot devices, image formats and file-system checks (the BootTest of Lahola 2010,
; chapter 6, whose router is not specified).
;
; The model is the firmware of a small router: a boot loader in the manner of Das U-Boot, the file-system checker that it
; calls, and the hardware watchdog, each a thread. The tester plays everything around it: the power supply and the reset
; button (port power), the self-test and the stored environment of the board (board), the operator (console), what is on the
; boot devices (media: flash, a USB stick, a TFTP server, and the recovery image in ROM), and the system that is booted
; (kernel).
;
; After the self-test the loader takes its environment from one of two copies, waits for a key, and tries the boot targets in
; their order. A flash or USB device is found, its partition table is read (MBR, or GPT with a backup), its file system is
; judged by the superblock (ext2/3/4) or the boot sector (FAT) and checked where necessary; a network target asks for an
; address instead. Then an image is read, a legacy uImage or a FIT, and verified. If no target gives one, or booting has
; failed too often, the recovery image is booted; if that fails, the operator must help. The watchdog bites a system that does
; not report.
;
; Sources: U-Boot's documentation (doc/README.autoboot, doc/api/bootcount.rst, doc/usage/environment.rst, the FIT
; specification) and its include/image.h for the legacy header; the UEFI specification 2.10, chapter 5 (GPT, MBR); the
; kernel's documentation of ext4, 3.1 (super block); e2fsck(8) and fsck(8); Microsoft's FAT specification of 2000 (fatgen103).
; What is ours: the time-outs, the memory map, that a file system that cannot be repaired is obeyed as its s_errors says.
;
; Left out: the bytes of tables, headers and checksums (the tester says what a parser would find, and the checksum of what was
; read), the files on a file system (there is one, the image), logical partitions, device trees and ramdisks beside the
; kernel, commands that change the environment, the blocks of a TFTP transfer and fsck's questions to an operator (it runs
; with -p). Time is in seconds.

(define-type word (int 0 4294967295))
(define-type half (int 0 65535))
(define-type device (enum flash usb network recovery))

; ---- Power and board ----

(define-message On)
(define-message Off)
(define-message Reset)                            ; the button
(define-port power in On Off Reset)

(define-message SelfTest (faults (int 0 15)))     ; bit 0: memory; others: parts that the router can do without

; A copy of the environment, with the variables that matter here. Each time it is saved, the other copy is written, and flags
; counts on.
(define-message Copy
  (crc-ok bool) (flags (int 0 255))
  (bootdelay (enum -2 -1 3)) (bootlimit (int 0 100)) (boot-targets (enum "flash usb network" "usb flash" "network"))
  (verify bool))
(define-message Environment (first Copy) (second Copy))

(define-message Led (colour (enum amber green red)))
(define-port board (in SelfTest Environment) (out Led))

; ---- The operator ----

(define-message Key)
(define-message Boot)                             ; as the environment says
(define-message BootFrom (device (enum flash usb network)))
(define-message ShowLog)
(define-message Restart)

(define-type reason
  (enum absent no-answer io-error no-partition-table partition-type no-file-system unsupported-features inconsistent
        no-file image-format header-checksum architecture image-type compression no-configuration signature
        no-memory length data-checksum))

(define-message Countdown (seconds int))
(define-message Prompt)
(define-message Faults (mask int))
(define-message Failed (device device) (reason reason))
(define-message Notice (text (enum default-environment boot-limit backup-gpt check-forced recovery)))

(define-port console
  (in Key Boot BootFrom ShowLog Restart)
  (out Countdown Prompt Faults Failed Notice))

; ---- What is on the boot devices ----

(define-message Probe (device device))
(define-message Present)
(define-message Absent)

(define-message ReadMbr (device device))
(define-message Mbr (signature half) (type (int 0 255)))          ; the type of the boot partition
(define-message ReadGpt (device device) (copy (enum primary backup)))
(define-message Gpt (valid bool))                                 ; signature, header CRC, own LBA and CRC of the entries
(define-message RestoreGpt (device device))

(define-message ReadSuperblock (device device))
(define-message ExtSuperblock
  (magic half) (state (int 0 7)) (mounts half) (max-mounts (int -1 32767)) (on-errors (enum 1 2 3)) (incompat word))
(define-message FatBootSector
  (signature half) (clusters (int 1 268435445)) (fat-1 word))     ; fat-1: the second entry of the FAT

(define-message Discover)                                         ; DHCP
(define-message Offer)

(define-message ReadHeader (device device))
(define-message NoFile)
(define-message Unrecognised (magic word))
(define-message Legacy
  (header-crc-ok bool) (arch (enum arm arm64 mips)) (type (enum kernel ramdisk script)) (compression (enum none gzip lzma))
  (size word) (load word) (entry word) (data-crc word))
(define-message Configuration
  (compatible (enum "acme,edge-1" "acme,edge-2")) (signature (enum good bad missing))
  (size word) (load word) (entry word) (hash word))
(define-message Fit (default (int 0 2)) (configurations (list-of Configuration 2)))   ; 0: no default

(define-message ReadData (device device))
(define-message Data (length word) (checksum word) (unpacked word))   ; unpacked: the length, once decompressed

(define-message IoError)

; For the checker.
(define-message ReplayJournal (device device))
(define-message Replayed (ok bool))
(define-message RunPass (device device) (pass (enum inodes directories counts fats clusters)))
(define-message PassDone (repaired (int 0 1000)) (manual bool))   ; manual: something that -p may not repair

(define-port media
  (in Present Absent Mbr Gpt ExtSuperblock FatBootSector Offer NoFile Unrecognised Legacy Fit Data IoError Replayed PassDone)
  (out Probe ReadMbr ReadGpt RestoreGpt ReadSuperblock Discover ReadHeader ReadData ReplayJournal RunPass))

; ---- The system that is booted ----

(define-message Jump (device device) (entry word))
(define-message Healthy)                          ; an application says that the system is up
(define-message Kick)
(define-message Reboot)
(define-port kernel (in Healthy Kick Reboot) (out Jump))

; ---- The hardware watchdog ----

(define-message Arm)
(define-message Disarm)
(define-channel to-watchdog)
(define-message Bite)
(define-channel reset-line)

(define watchdog-period 60)

(define-machine (watchdog)
  (state disarmed
    (on (to-watchdog Arm) -> armed)
    (ignores to-watchdog))
  (state armed
    (on (to-watchdog Disarm) -> disarmed)
    (on (kernel Kick)
        (requirement "WD-1" "A system that kicks the watchdog in time goes on.")
        -> armed)
    (after watchdog-period
        (requirement "WD-2" "A system that does not kick the watchdog in time is reset.")
        (send reset-line (Bite))
        -> disarmed)))

; ---- The file-system checker ----

; Ext: replay the journal; force the passes, also when that was all that was wrong.
(define-message CheckExt (device device) (replay bool) (force bool))
(define-message CheckFat (device device))
(define-message Abort)
(define-channel to-checker)
(define-message Verdict (code (enum 0 1 4 8)))    ; e2fsck(8), EXIT CODE
(define-channel from-checker)

(define (finish-check repaired)
  (cond
    ((> repaired 0)
     (requirement "FSCK-1" "Exit code 1: the file system had errors, and they were corrected.")
     (send from-checker (Verdict 1)))
    (else
     (requirement "FSCK-0" "Exit code 0: there were no errors.")
     (send from-checker (Verdict 0)))))

(define-machine (checker target force repaired)

  (state idle
    (on (to-checker (CheckExt where-from #t forced))
        -> (journal where-from forced 0))
    (on (to-checker (CheckExt where-from #f forced))
        -> (inodes where-from forced 0))
    (on (to-checker (CheckFat where-from))
        -> (fats where-from #t 0))
    (ignores to-checker))

  (state busy
    (initial inodes)
    (on (to-checker Abort) -> idle)
    (on (media (PassDone _ #t))
        (requirement "FSCK-4" "Exit code 4: an inconsistency that is not safe to repair is left to the operator.")
        (send from-checker (Verdict 4))
        -> idle)
    (on (media IoError)
        (requirement "FSCK-8" "Exit code 8: the check itself failed.")
        (send from-checker (Verdict 8))
        -> idle)

    (state journal
      (entry (write media (ReplayJournal target)))
      (on (media (Replayed ok))
          (cond
            ((and ok (not force))
             (requirement "FSCK-J" "A file system that only needs its journal is not checked further.")
             (finish-check repaired)
             (-> idle))
            (else (-> inodes)))))

    ; Pass 1 of e2fsck; passes 2 and 3; passes 4 and 5.
    (state inodes
      (entry (write media (RunPass target 'inodes)))
      (on (media (PassDone n #f)) -> directories (with (repaired (+ repaired n)))))
    (state directories
      (entry (write media (RunPass target 'directories)))
      (on (media (PassDone n #f)) -> counts (with (repaired (+ repaired n)))))
    (state counts
      (entry (write media (RunPass target 'counts)))
      (on (media (PassDone n #f))
          (finish-check (+ repaired n))
          -> idle))

    ; The copies of the FAT are compared, then the chains of clusters are followed.
    (state fats
      (entry (write media (RunPass target 'fats)))
      (on (media (PassDone n #f)) -> clusters (with (repaired (+ repaired n)))))
    (state clusters
      (entry (write media (RunPass target 'clusters)))
      (on (media (PassDone n #f))
          (finish-check (+ repaired n))
          -> idle))))

; ---- The environment ----

(define default-environment (Copy #t 0 3 3 "flash usb network" #t))

(define (newer? a b)
  (let ((flags-a (Copy-flags a)) (flags-b (Copy-flags b)))
    (cond
      ((and (= flags-a 0) (= flags-b 255))
       (requirement "ENV-2" "The count of copies wraps around: 0 is newer than 255.")
       #t)
      ((and (= flags-a 255) (= flags-b 0)) #f)
      (else (> flags-a flags-b)))))

(define (valid-environment first second)
  (cond
    ((and (Copy-crc-ok first) (Copy-crc-ok second))
     (requirement "ENV-1" "Of two intact copies of the environment the newer one is used.")
     (if (newer? second first) second first))
    ((Copy-crc-ok first) first)
    ((Copy-crc-ok second)
     (requirement "ENV-3" "If one copy of the environment is damaged, the other is used.")
     second)
    (else
     (requirement "ENV-4" "If both copies are damaged, the default environment is used.")
     (write console (Notice 'default-environment))
     default-environment)))

(define (targets-of env)
  (cdr (assoc (Copy-boot-targets env)
              '(("flash usb network" flash usb network) ("usb flash" usb flash) ("network" network)))))

; A register that keeps its value as long as there is power.
(define boot-count 0)

(define (count-boot!) (set! boot-count (+ boot-count 1)))

(define (too-many-boots? env)
  (and (> (Copy-bootlimit env) 0) (> boot-count (Copy-bootlimit env))))

; ---- Is a file system fit for use? The reason why not, or what to tell the checker, or #f if it is clean ----

(define known-features #x2C6)           ; filetype, recover, extents, 64bit, flex_bg
(define needs-recovery #x4)

(define (due-for-check? super)
  (cond
    ((= (bitwise-and (ExtSuperblock-state super) 1) 0)
     (requirement "EXT-1" "A file system that was not unmounted cleanly is checked.")
     #t)
    ((not (= (bitwise-and (ExtSuperblock-state super) 2) 0))
     (requirement "EXT-2" "A file system in which errors were detected is checked.")
     #t)
    ((and (> (ExtSuperblock-max-mounts super) 0)
          (>= (ExtSuperblock-mounts super) (ExtSuperblock-max-mounts super)))
     (requirement "EXT-3" "A file system is checked when it has been mounted its maximal number of times.")
     #t)
    (else #f)))

(define (judge-ext device super)
  (let ((journal (not (= (bitwise-and (ExtSuperblock-incompat super) needs-recovery) 0))))
    (cond
      ((not (= (ExtSuperblock-magic super) #xEF53)) 'no-file-system)
      ((not (= (bitwise-and (ExtSuperblock-incompat super) (bitwise-not known-features)) 0))
       (requirement "EXT-4" "A file system with an incompatible feature that is not known is not used.")
       'unsupported-features)
      (journal
       (requirement "EXT-5" "A journal that needs recovery is replayed before the file system is used.")
       (CheckExt device #t (due-for-check? super)))
      ((due-for-check? super)
       (CheckExt device #f #t))
      (else #f))))

; The type of a FAT is determined by its count of clusters and by nothing else; its second entry has two bits for a clean
; shut-down and for no errors, except on FAT12.
(define (fat-clean? clusters entry)
  (cond
    ((< clusters 4085)
     (requirement "FAT-1" "A FAT12 volume has no flags to say that it is clean: it is taken as such.")
     #t)
    ((< clusters 65525)
     (= (bitwise-and entry #xC000) #xC000))
    (else
     (= (bitwise-and entry #x0C000000) #x0C000000))))

(define (judge-fat device sector)
  (cond
    ((not (= (FatBootSector-signature sector) #xAA55)) 'no-file-system)
    ((fat-clean? (FatBootSector-clusters sector) (FatBootSector-fat-1 sector)) #f)
    (else
     (requirement "FAT-2" "A volume that was not shut down cleanly, or had a disk error, is checked.")
     (CheckFat device))))

; ---- Images: a plan says where an image goes, and what its data must be ----

(define ram-base   #x80000000)
(define ram-top    #x8F000000)          ; the loader itself is above

(define-record-type plan
  (make-plan size load entry checksum packed)
  plan?
  (size plan-size)
  (load plan-load)
  (entry plan-entry)
  (checksum plan-checksum)              ; #f: not to be verified
  (packed plan-packed))

; The reason why an image cannot be booted, or the plan.
(define (judge-legacy header verify)
  (cond
    ((not (Legacy-header-crc-ok header))
     (requirement "UIMAGE-1" "A legacy image whose header checksum is wrong is refused.")
     'header-checksum)
    ((not (eq? (Legacy-arch header) 'arm64)) 'architecture)
    ((not (eq? (Legacy-type header) 'kernel)) 'image-type)
    ((eq? (Legacy-compression header) 'lzma) 'compression)
    (else
     (make-plan (Legacy-size header) (Legacy-load header) (Legacy-entry header)
                (and verify (Legacy-data-crc header))
                (eq? (Legacy-compression header) 'gzip)))))

(define (configuration-of fit)
  (let ((all (Fit-configurations fit)))
    (cond
      ((find (lambda (one) (string=? (Configuration-compatible one) "acme,edge-1")) all)
       => (lambda (one)
            (requirement "FIT-1" "The configuration that is compatible with the board is chosen.")
            one))
      ((<= 1 (Fit-default fit) (length all))
       (requirement "FIT-2" "Where no configuration is compatible with the board, the default one is chosen.")
       (list-ref all (- (Fit-default fit) 1)))
      (else #f))))

(define (judge-fit fit)
  (let ((chosen (configuration-of fit)))
    (cond
      ((not chosen) 'no-configuration)
      ((not (eq? (Configuration-signature chosen) 'good))
       (requirement "FIT-3" "A configuration that is not signed with the required key, or wrongly so, is refused.")
       'signature)
      (else
       (make-plan (Configuration-size chosen) (Configuration-load chosen) (Configuration-entry chosen)
                  (Configuration-hash chosen) #f)))))

; The reason why data that were read cannot be booted, or #f.
(define (judge-data plan data)
  (let ((length (if (plan-packed plan) (Data-unpacked data) (Data-length data))))
    (cond
      ((not (= (Data-length data) (plan-size plan))) 'length)
      ((and (plan-checksum plan) (not (= (plan-checksum plan) (Data-checksum data))))
       (requirement "IMAGE-1" "An image whose data have another checksum than its header says is refused.")
       'data-checksum)
      ((or (< (plan-load plan) ram-base) (> (+ (plan-load plan) length) ram-top))
       (requirement "IMAGE-2" "An image that does not fit into the memory below the loader is refused.")
       'no-memory)
      ((not (<= (plan-load plan) (plan-entry plan) (+ (plan-load plan) length -1)))
       'no-memory)
      (else #f))))

; ---- The boot loader ----

(define answer-time 5)                  ; seconds in which a device must answer
(define discover-attempts 3)

(define-timer answer)

(define (ask request)
  (write media request)
  (start answer answer-time))

; env       the copy of the environment that is used
; targets   the boot targets that are left to try, the first of them now
; reason    why the last one failed
; log       failures since booting began, as messages for the operator, the latest first
; policy    what s_errors says about errors; 3 is not to go on
; image     the plan of the image that is being read
(define-machine (loader env targets reason log policy image)

  (state off
    (on (power On)
        (requirement "BOOTCOUNT-1" "After power-on the boot count is 1.")
        (set! boot-count 1)
        -> powered))

  (state powered
    (initial self-test)
    (exit (send to-watchdog (Disarm)))
    (on (power Off)
        -> off)
    (on (power Reset)
        (count-boot!)
        -> powered)
    (on (reset-line Bite)
        (requirement "BOOTCOUNT-2" "Every reset increments the boot count.")
        (count-boot!)
        -> powered)

    (state self-test
      (entry (write board (Led 'amber)))
      (on (board (SelfTest faults))
          (cond
            ((odd? faults)
             (checkpoint "memory is faulty")
             (-> halted))
            (else
             (when (> faults 0)
               (write console (Faults faults)))
             (-> environment)))))

    (state environment
      (on (board (Environment first second))
          (let ((chosen (valid-environment first second)))
            (cond
              ((too-many-boots? chosen)
               (requirement "BOOTCOUNT-3" "When the boot count exceeds the boot limit, the alternative is booted.")
               (write console (Notice 'boot-limit))
               (-> image-header (with (env chosen) (targets '(recovery)) (log '()))))
              ((= (Copy-bootdelay chosen) -1)
               (requirement "AUTOBOOT-1" "With a boot delay of -1 the loader does not boot by itself.")
               (-> prompt (with (env chosen) (log '()))))
              ((= (Copy-bootdelay chosen) -2)
               (requirement "AUTOBOOT-2" "With a boot delay of -2 the loader boots at once, and cannot be stopped.")
               (-> attempt (with (env chosen) (targets (targets-of chosen)) (log '()))))
              (else
               (-> countdown (with (env chosen) (log '()))))))))

    (state countdown
      (entry (write console (Countdown (Copy-bootdelay env))))
      (on (console Key)
          (requirement "AUTOBOOT-3" "A key during the boot delay leads to the prompt.")
          -> prompt)
      (after (Copy-bootdelay env)
          -> attempt (with (targets (targets-of env)))))

    (state prompt
      (entry (write console (Prompt)))
      (on (console Boot)
          -> attempt (with (targets (targets-of env)) (log '())))
      (on (console (BootFrom chosen))
          -> attempt (with (targets (list chosen)) (log '())))
      (on (console ShowLog)
          (for-each (lambda (failure) (write console failure)) (reverse log)))
      (on (console Restart)
          (count-boot!)
          -> powered))

    ; One boot target, (car targets).
    (state attempt
      (initial probing)
      (exit (stop answer))
      (on (timeout answer)
          -> failed (with (reason 'no-answer)))
      (on (media IoError)
          -> failed (with (reason 'io-error)))
      (done
        (set! log (cons (Failed (car targets) reason) log))
        (write console (car log))
        (cond
          ((eq? (car targets) 'recovery)
           (requirement "FALLBACK-3" "When the recovery image fails too, the loader leaves it to the operator.")
           (write board (Led 'red))
           (-> prompt))
          ((null? (cdr targets))
           (requirement "FALLBACK-2" "When no boot target is left, the recovery image is booted.")
           (write console (Notice 'recovery))
           (-> image-header (with (targets '(recovery)))))
          (else
           (requirement "FALLBACK-1" "When a boot target fails, the next one is tried.")
           (-> attempt (with (targets (cdr targets)))))))

      (state probing
        (entry (ask (Probe (car targets))))
        (on (media Present)
            (if (eq? (car targets) 'network)
                (-> address)
                (-> partition-table)))
        (on (media Absent)
            -> failed (with (reason 'absent))))

      (state partition-table
        (entry (ask (ReadMbr (car targets))))
        (on (media (Mbr signature type))
            (cond
              ((not (= signature #xAA55))
               (requirement "MBR-1" "A first sector without the signature 0xAA55 is not a partition table.")
               (-> failed (with (reason 'no-partition-table))))
              (else
               (case type
                 ((#x06 #x0B #x0C #x0E #x83) (-> superblock))
                 ((#xEE)
                  (requirement "MBR-2" "A partition of type 0xEE is a protective MBR: the disk has a GPT.")
                  (-> gpt))
                 (else
                  (-> failed (with (reason 'partition-type)))))))))

      (state gpt
        (entry (ask (ReadGpt (car targets) 'primary)))
        (on (media (Gpt valid))
            (if valid
                (-> superblock)
                (-> backup-gpt))))

      (state backup-gpt
        (entry (ask (ReadGpt (car targets) 'backup)))
        (on (media (Gpt #t))
            (requirement "GPT-1" "If the primary GPT is invalid, the backup is used, and the primary restored from it.")
            (write console (Notice 'backup-gpt))
            (write media (RestoreGpt (car targets)))
            -> superblock)
        (on (media (Gpt #f))
            (requirement "GPT-2" "If neither copy of the GPT is valid, the disk has no partitions.")
            -> failed (with (reason 'no-partition-table))))

      (state superblock
        (entry (ask (ReadSuperblock (car targets))))
        (on (media ExtSuperblock as super)
            (let ((judgement (judge-ext (car targets) super)))
              (cond
                ((not judgement) (-> image-header))
                ((CheckExt? judgement)
                 (send to-checker judgement)
                 (-> checking (with (policy (ExtSuperblock-on-errors super)))))
                (else
                 (-> failed (with (reason judgement)))))))
        (on (media FatBootSector as sector)
            (let ((judgement (judge-fat (car targets) sector)))
              (cond
                ((not judgement) (-> image-header))
                ((CheckFat? judgement)
                 (send to-checker judgement)
                 (-> checking (with (policy 3))))
                (else
                 (-> failed (with (reason judgement))))))))

      (state address
        (locals (tries 1))
        (entry (ask (Discover)))
        (on (media Offer)
            -> image-header)
        (on (timeout answer) (where (< tries discover-attempts))
            (requirement "DHCP-1" "A DISCOVER that is not answered is sent again.")
            (set! tries (+ tries 1))
            (ask (Discover))))

      (state image-header
        (entry (ask (ReadHeader (car targets))))
        (on (media NoFile)
            -> failed (with (reason 'no-file)))
        (on (media Unrecognised)
            (requirement "IMAGE-3" "What is neither a legacy image nor a FIT is refused.")
            -> failed (with (reason 'image-format)))
        (on (media Legacy as header)
            (let ((judgement (judge-legacy header (Copy-verify env))))
              (if (plan? judgement)
                  (-> image-data (with (image judgement)))
                  (-> failed (with (reason judgement))))))
        (on (media Fit as fit)
            (let ((judgement (judge-fit fit)))
              (if (plan? judgement)
                  (-> image-data (with (image judgement)))
                  (-> failed (with (reason judgement)))))))

      (state image-data
        (entry (ask (ReadData (car targets))))
        (on (media Data as data)
            (let ((flaw (judge-data image data)))
              (cond
                (flaw
                 (-> failed (with (reason flaw))))
                (else
                 (when (not (plan-checksum image))
                   (requirement "VERIFY-1" "With verify set to no, the data of a legacy image are not checked."))
                 (when (eq? (car targets) 'recovery)
                   (checkpoint "the recovery image is booted"))
                 (write kernel (Jump (car targets) (plan-entry image)))
                 (-> system (with (image #f))))))))

      (state failed (final)))

    ; The checker talks to the device now, and takes its time.
    (state checking
      (entry (write console (Notice 'check-forced)))
      (exit (send to-checker (Abort)))
      (on (from-checker (Verdict code))
          (cond
            ((<= code 1) (-> image-header))
            ((and (= code 4) (< policy 3))
             (requirement "EXT-6" "A file system with errors is used nevertheless, if s_errors does not say to panic.")
             (-> image-header))
            (else
             (-> failed (with (reason 'inconsistent)))))))

    ; The loader is gone: what is left of the firmware are the reset logic and the watchdog.
    (state system
      (initial starting)
      (entry (send to-watchdog (Arm)))
      (on (kernel Reboot)
          (count-boot!)
          -> powered)

      (state starting
        (on (kernel Healthy)
            (requirement "BOOTCOUNT-4" "A system that has come up sets the boot count back to 0.")
            (set! boot-count 0)
            -> serving))

      (state serving
        (entry (write board (Led 'green)))))

    (state halted
      (entry (write board (Led 'red))))))

(spawn-service (checker #f #f 0))
(spawn-service (watchdog))
(loader #f '() #f '() 3 #f)
